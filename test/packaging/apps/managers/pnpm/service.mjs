import * as library from 'vue-chain/streams'
import { run } from '../service.js'

await run(library, process.argv.slice(2))
