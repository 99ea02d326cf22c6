/** One file, because each pays for the modules that it imports; the stores of databases: payouts/journals.test.ts. */
import { afterAll, beforeAll, describe } from 'vitest'
import { createMemoryX402Store, type X402Store } from '../../src/x402/stores/store.js'
import { createPostgresX402Store } from '../../src/x402/stores/sql-store.js'
import { hasPostgres, startPostgres, type PostgresCluster } from '../feed/support/postgres-cluster.js'
import { FULL } from '../full.js'
import { attemptTests } from './attempt-suite.js'
import { claimOrderTests } from './claim-order-suite.js'
import { contextTests } from './context-suite.js'
import { instancesTests } from './instances-suite.js'
import { mainnetTests } from './mainnet-suite.js'
import { paymentTests } from './payment-suite.js'
import { queueTests } from './queue-suite.js'
import { reducerTests } from './reducer-suite.js'
import { reorgTests } from './reorg-suite.js'
import { repeatTests } from './repeat-suite.js'
import { settlementTests } from './settlement-suite.js'
import { scopeTests } from './scope-suite.js'
import { storeTests } from './store-suite.js'
import { vectorTests } from './vector-suite.js'
import { upstreamTests } from './upstream-suite.js'

describe('a settlement as a state machine', reducerTests)
describe('a payment on its own', paymentTests)
describe('many payments at once', queueTests)
describe('the vectors of kaspa-x402', vectorTests)
describe('a payment and the chain', settlementTests)
describe('a payment that the chain does not show', reorgTests)
describe('a payment that is presented again', repeatTests)
describe('the middleware', contextTests)
describe('the attempts of an agent', attemptTests)
describe('the unchanged packages of @x402', upstreamTests)
describe('the scopes of requests', scopeTests)
describe('mainnet', mainnetTests)
describe('two servers on one store', () => {
  instancesTests(memoryStores())
})
describe.runIf(FULL && hasPostgres)('two servers on one database of PostgreSQL', () => {
  let cluster: PostgresCluster
  beforeAll(async () => {
    cluster = await startPostgres()
  })
  afterAll(() => cluster.stop())
  instancesTests((schema) => createPostgresX402Store({ pool: cluster.pool(), schema }))
  claimOrderTests(() => cluster.pool())
})
describe('the store in memory', () => {
  storeTests(memoryStores())
})

function memoryStores(): (schema: string) => X402Store {
  const stores = new Map<string, X402Store>()
  return (schema) => {
    const store = stores.get(schema) ?? createMemoryX402Store()
    stores.set(schema, store)
    return store
  }
}
