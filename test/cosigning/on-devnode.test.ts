import { FULL } from '../full.js'
import { openMemoryNetwork } from './cosigners.js'
import { describeHostileTexts } from './hostile-rows.js'
import { describePayments } from './payment-rows.js'
import { describeRestarts } from './restart-rows.js'
import { describeSignedAmounts } from './signed-amount-rows.js'

/** One file: each that imports an engine and a network costs most of a second. */

const LONG = [
  { threshold: 3, count: 5 },
  { threshold: 3, count: 5, ecdsa: true },
  { threshold: 15, count: 15 },
]

describePayments(
  [
    { threshold: 1, count: 2 },
    { threshold: 2, count: 3 },
    { threshold: 2, count: 3, ecdsa: true },
    ...(FULL ? LONG : []),
  ],
  openMemoryNetwork,
)
describeHostileTexts(openMemoryNetwork)
describeSignedAmounts()
if (FULL) describeRestarts(openMemoryNetwork)
