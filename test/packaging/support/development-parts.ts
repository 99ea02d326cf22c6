import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** A text of each part that is for development only, by the file of the installed library that contains it. */
const TEXTS = {
  'dist/devtools.js': 'https://www.npmjs.com/package/vue-chain',
  'dist/modules/engine/recorder/create-recorder.js': 'Share them only with people you trust.',
}

/**
 * The scripts in a folder of a built app that contain a part for development only. Throws where the library itself does
 * not contain the texts that are searched for.
 */
export function scriptsWithDevelopment(app: string, output: string): string[] {
  for (const [file, text] of Object.entries(TEXTS)) {
    if (!readFileSync(join(app, 'node_modules/vue-chain', file), 'utf8').includes(text))
      throw new Error(`${file} of vue-chain does not contain "${text}"`)
  }
  const scripts = readdirSync(output, { recursive: true, encoding: 'utf8' }).filter((file) => /\.m?js$/.test(file))
  if (scripts.length === 0) throw new Error(`${output} contains no script`)
  return scripts.filter((file) => {
    const code = readFileSync(join(output, file), 'utf8')
    return Object.values(TEXTS).some((text) => code.includes(text))
  })
}
