import { afterAll, describe } from 'vitest'
import { nodeInfo } from './suites/node-info.js'
import { acceptance } from './suites/acceptance.js'
import { blocks } from './suites/blocks.js'
import { jsonParsing } from './suites/json-parsing.js'
import { lanes } from './suites/lanes.js'
import { longChain } from './suites/long-chain.js'
import { connectionBehaviour } from './suites/connection-behaviour.js'
import { masses } from './suites/masses.js'
import { mempool } from './suites/mempool.js'
import { edgeCaseQueries } from './suites/edge-case-queries.js'
import { orphans } from './suites/orphans.js'
import { payments } from './suites/payments.js'
import { randomPayments } from './suites/random-payments.js'
import { replacements } from './suites/replacements.js'
import { rejections } from './suites/rejections.js'
import { subscriptions } from './suites/subscriptions.js'
import { malformedRequests } from './suites/malformed-requests.js'
import { openTarget } from './support/target.js'

const SUITES = [
  connectionBehaviour,
  malformedRequests,
  jsonParsing,
  nodeInfo,
  rejections,
  subscriptions,
  acceptance,
  mempool,
  masses,
  orphans,
  replacements,
  payments,
  randomPayments,
  blocks,
  edgeCaseQueries,
  lanes,
]

const target = await openTarget()

afterAll(() => target.close())

/** Runs every suite against each encoding of the node; the long chain in the first encoding only. */
target.nodes.forEach((node, index) => {
  describe(`a node (${target.name}) over ${node.encoding}`, () => {
    for (const define of SUITES) define(node)
    if (index === 0) longChain(node)
  })
})
