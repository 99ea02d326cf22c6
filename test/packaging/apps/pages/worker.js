import * as library from 'vue-chain/streams'
import { run } from './service.js'

addEventListener('message', ({ data }) => {
  run(library, data).then(
    () => postMessage('live and paid'),
    (error) => postMessage(`${error}, ${error.cause}`),
  )
})
