import { rspack } from '@rspack/core'

const compiler = rspack({ mode: 'production', entry: './main.js', output: { filename: 'main.js' } })
compiler.run((error, stats) => {
  if (error || stats.hasErrors()) throw error ?? new Error(stats.toString())
  compiler.close(() => undefined)
})
