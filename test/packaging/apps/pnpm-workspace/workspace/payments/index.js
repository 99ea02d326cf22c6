import wasmUrl from 'vue-chain/kaspa_bg.wasm?url'
import { start as startApp } from './paying-app.js'

export const start = () => startApp({ wasmUrl })
