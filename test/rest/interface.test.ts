import { describe, expect, expectTypeOf, it } from 'vitest'
import { createRestClient, type ChainRestClient } from '../../src/rest/client.js'
import { OPERATION_NAMES } from '../../src/rest/names.js'
import type { ChainRestRequestOptions } from '../../src/rest/options.js'
import type * as Acceptance from '../../src/rest/records/acceptance.js'
import type * as Addresses from '../../src/rest/records/addresses.js'
import type * as Blocks from '../../src/rest/records/blocks.js'
import type * as Health from '../../src/rest/records/health.js'
import type * as Network from '../../src/rest/records/network.js'
import type * as Search from '../../src/rest/records/search.js'
import type * as Submission from '../../src/rest/records/submission.js'
import type * as Transactions from '../../src/rest/records/transactions.js'
import type * as Utxos from '../../src/rest/records/utxos.js'
import type * as VirtualChain from '../../src/rest/records/virtual-chain.js'

type Options = ChainRestRequestOptions
type Answers<T> = Promise<T>

/** The operations as the documentation of the library lists them: parameters and results. */
interface Documented {
  request: <T>(method: 'GET' | 'POST', path: string, options?: Options) => Answers<T>
  getTransaction: (transactionId: string, options?: Options) => Answers<Transactions.ChainRestTransaction | null>
  getTransactionById: (transactionId: string, options?: Options) => Answers<Transactions.ChainRestTransaction | null>
  searchTransactions: (
    request: Search.ChainRestTxSearch,
    options?: Options,
  ) => Answers<Transactions.ChainRestTransaction[]>
  getAddressBalance: (address: string, options?: Options) => Answers<Addresses.ChainRestBalanceEntry>
  getAddressBalanceHistory: (
    address: string,
    dayOrMonth: string,
    options?: Options,
  ) => Answers<Addresses.ChainRestAddressBalanceHistory[]>
  getAddressNames: (options?: Options) => Answers<Addresses.ChainRestAddressName[]>
  getAddressName: (address: string, options?: Options) => Answers<Addresses.ChainRestAddressName>
  getTopAddresses: (options?: Options) => Answers<Addresses.ChainRestTopAddresses[]>
  getFullTransactionsByAddress: (address: string, options?: Options) => Answers<Transactions.ChainRestTransaction[]>
  getFullTransactionsByAddressPage: (address: string, options?: Options) => Answers<Transactions.ChainRestTransaction[]>
  getUtxosByAddress: (address: string, options?: Options) => Answers<Utxos.ChainRestUtxoResponse[]>
  getBalancesByAddresses: (addresses: string[], options?: Options) => Answers<Addresses.ChainRestBalanceEntry[]>
  getTransactionAcceptance: (
    transactionIds: string[],
    options?: Options,
  ) => Answers<Acceptance.ChainRestTransactionAcceptance[]>
  getTransactionsCount: (options?: Options) => Answers<Transactions.ChainRestTransactionCountResponse>
  getTransactionsCountFor: (
    dayOrMonth: string,
    options?: Options,
  ) => Answers<Transactions.ChainRestTransactionCountResponse[]>
  submitTransaction: (
    tx: Submission.ChainRestSubmitTxModel,
    options?: Options,
  ) => Answers<Submission.ChainRestSubmitTransactionResponse>
  getUtxoCountByAddress: (address: string) => Answers<Utxos.ChainRestUtxoCountResponse>
  getUtxosByAddresses: (addresses: string[]) => Answers<Utxos.ChainRestUtxoResponse[]>
  getAddressTransactionCount: (address: string) => Answers<Addresses.ChainRestTransactionCount>
  getBlock: (hash: string) => Answers<Blocks.ChainRestBlock>
  getBlocks: (options: Options & { lowHash: string }) => Answers<Blocks.ChainRestBlockResponse>
  getVirtualChain: () => Answers<VirtualChain.ChainRestVcBlock[]>
  getVirtualSelectedParentBlueScore: () => Answers<Network.ChainRestBlueScoreResponse>
  getBlockDag: () => Answers<Network.ChainRestBlockdagResponse>
  getNetwork: () => Answers<Network.ChainRestBlockdagResponse>
  getCoinSupply: () => Answers<Network.ChainRestCoinSupplyResponse>
  getBlockReward: () => Answers<Network.ChainRestBlockRewardResponse>
  getHalving: () => Answers<Network.ChainRestHalvingResponse>
  getHashrate: () => Answers<Network.ChainRestHashrateResponse>
  getMaxHashrate: () => Answers<Network.ChainRestMaxHashrateResponse>
  getHashrateHistory: () => Answers<Network.ChainRestHashrateHistoryResponse[]>
  getHashrateHistoryFor: (dayOrMonth: string) => Answers<Network.ChainRestHashrateHistoryResponse[]>
  getHealth: () => Answers<Health.ChainRestHealthResponse>
  getChaindInfo: () => Answers<Health.ChainRestChaindInfoResponse>
  getMarketcap: () => Answers<Network.ChainRestMarketCapResponse>
  calculateTransactionMass: (tx: Submission.ChainRestSubmitTxModel) => Answers<Submission.ChainRestTxMass>
}

/** Operations beyond that list: the server offers them too. */
type Added =
  | 'getAddressDistribution'
  | 'getAddressesActive'
  | 'getAddressesActiveCount'
  | 'getAddressesActiveCountFor'
  | 'getBlocksFromBlueScore'
  | 'getCirculatingCoins'
  | 'getFeeEstimate'
  | 'getFullTransactionsByAddressPages'
  | 'getMarketData'
  | 'getPrice'
  | 'getTotalCoins'
  | 'getVirtualChainFromBlock'

/** Members that are no operations. */
type Members = 'baseUrl' | 'cacheSize' | 'cacheSize$' | 'clearCache' | 'cache' | 'dispose'

describe('the client', () => {
  it('has each documented operation, with its parameters and its result', () => {
    expectTypeOf<ChainRestClient>().toExtend<Documented>()
  })

  it('has no operation that is not listed, and lists none that it has not', () => {
    expectTypeOf<keyof ChainRestClient>().toEqualTypeOf<keyof Documented | Added | Members>()
    expectTypeOf<(typeof OPERATION_NAMES)[number]>().toEqualTypeOf<
      Exclude<keyof Documented | Added, 'getFullTransactionsByAddressPages'>
    >()
  })

  it('has at run time what its type says', () => {
    const rest = createRestClient()
    const operations = Object.entries(rest).filter(([, member]) => typeof member === 'function')
    expect(operations.map(([name]) => name).sort()).toEqual(
      [...OPERATION_NAMES, 'getFullTransactionsByAddressPages', 'clearCache', 'dispose'].sort(),
    )
  })

  it('does not depend on `this`: its members may be taken out of it', () => {
    const { clearCache, getAddressBalance } = createRestClient()
    expect(() => clearCache()).not.toThrow()
    expect(getAddressBalance).toBeTypeOf('function')
  })
})
