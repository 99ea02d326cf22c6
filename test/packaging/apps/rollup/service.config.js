import commonjs from '@rollup/plugin-commonjs'
import { nodeResolve } from '@rollup/plugin-node-resolve'

export default {
  input: 'service.mjs',
  external: ['ws', 'isomorphic-ws'],
  output: { dir: 'service', entryFileNames: 'service.js' },
  plugins: [nodeResolve({ exportConditions: ['node'] }), commonjs()],
}
