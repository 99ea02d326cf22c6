import { start } from './paying-app.js'

await navigator.serviceWorker.register('./sw.js')
start()
