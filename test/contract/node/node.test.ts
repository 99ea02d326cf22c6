import { afterAll, describe } from 'vitest'
import { aboutNode } from './sentences/about-node.js'
import { acceptance } from './sentences/acceptance.js'
import { blocks } from './sentences/blocks.js'
import { jsonForms } from './sentences/json-forms.js'
import { lanes } from './sentences/lanes.js'
import { longChain } from './sentences/long-chain.js'
import { manners } from './sentences/manners.js'
import { masses } from './sentences/masses.js'
import { mempool } from './sentences/mempool.js'
import { oddQuestions } from './sentences/odd-questions.js'
import { orphans } from './sentences/orphans.js'
import { payments } from './sentences/payments.js'
import { randomPayments } from './sentences/random-payments.js'
import { replacements } from './sentences/replacements.js'
import { refusals } from './sentences/refusals.js'
import { subscriptions } from './sentences/subscriptions.js'
import { unreadable } from './sentences/unreadable.js'
import { openTarget } from './support/target.js'

const CHAPTERS = [
  manners,
  unreadable,
  jsonForms,
  aboutNode,
  refusals,
  subscriptions,
  acceptance,
  mempool,
  masses,
  orphans,
  replacements,
  payments,
  randomPayments,
  blocks,
  oddQuestions,
  lanes,
]

const target = await openTarget()

afterAll(() => target.close())

/** Every sentence is told of one node, one after the other, in each of its encodings; the long ones in the first only. */
target.nodes.forEach((node, index) => {
  describe(`a node (${target.name}) spoken to in ${node.encoding}`, () => {
    for (const tell of CHAPTERS) tell(node)
    if (index === 0) longChain(node)
  })
})
