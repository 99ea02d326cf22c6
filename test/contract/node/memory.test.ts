import { afterAll, describe } from 'vitest'
import { FULL } from '../../full.js'
import { acceptance } from './suites/acceptance.js'
import { blocks } from './suites/blocks.js'
import { edgeCaseQueries } from './suites/edge-case-queries.js'
import { lanes } from './suites/lanes.js'
import { longChain } from './suites/long-chain.js'
import { masses } from './suites/masses.js'
import { mempool } from './suites/mempool.js'
import { nodeInfo } from './suites/node-info.js'
import { orphans } from './suites/orphans.js'
import { payments } from './suites/payments.js'
import { randomPayments } from './suites/random-payments.js'
import { rejections } from './suites/rejections.js'
import { replacements } from './suites/replacements.js'
import { subscriptions } from './suites/subscriptions.js'
import { openMemoryDevnode } from './support/target.js'

/** What depends on connection and encoding. The suites about WebSocket and text as such need a socket. */
const SUITES = [nodeInfo, subscriptions, acceptance, mempool, payments]

/** What depends on the ledger only, which the devnode with sockets has as well. */
const LEDGER_SUITES = [rejections, masses, orphans, replacements, randomPayments, blocks, edgeCaseQueries, lanes]

const target = await openMemoryDevnode()

afterAll(() => target.close())

target.nodes.forEach((node, index) => {
  describe(`a node (${target.name}) over ${node.encoding}`, () => {
    for (const define of FULL ? [...SUITES, ...LEDGER_SUITES] : SUITES) define(node)
    if (FULL && index === 0) longChain(node)
  })
})
