import { start } from './paying-app.js'

start({ wasmUrl: 'files/kaspa.wasm' })
