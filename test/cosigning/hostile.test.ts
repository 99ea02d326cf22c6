import { openMemoryNetwork } from './cosigners.js'
import { describeHostileTexts } from './hostile-rows.js'

describeHostileTexts(openMemoryNetwork)
