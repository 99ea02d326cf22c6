import { describe, expect, expectTypeOf, it } from 'vitest'
import { createRestClient, type ChainRestClient, OPERATION_NAMES } from '../../src/rest/client.js'
import type { ChainRestRequestOptions } from '../../src/rest/options.js'
import type * as Acceptance from '../../src/rest/records/acceptance.js'
import type * as Addresses from '../../src/rest/records/addresses.js'
import type * as Blocks from '../../src/rest/records/blocks.js'
import type * as Health from '../../src/rest/records/health.js'
import type * as Network from '../../src/rest/records/network.js'
import type * as Search from '../../src/rest/records/acceptance.js'
import type * as Submission from '../../src/rest/records/submission.js'
import type * as Transactions from '../../src/rest/records/transactions.js'
import type * as Utxos from '../../src/rest/records/addresses.js'
import type * as VirtualChain from '../../src/rest/records/acceptance.js'

type Options = ChainRestRequestOptions
type Result<T> = Promise<T>

/** The documented operations with parameters and results. */
interface Documented {
  request: <T>(method: 'GET' | 'POST', path: string, options?: Options) => Result<T>
  getTransaction: (transactionId: string, options?: Options) => Result<Transactions.ChainRestTransaction | null>
  getTransactionById: (transactionId: string, options?: Options) => Result<Transactions.ChainRestTransaction | null>
  searchTransactions: (
    request: Search.ChainRestTxSearch,
    options?: Options,
  ) => Result<Transactions.ChainRestTransaction[]>
  getAddressBalance: (address: string, options?: Options) => Result<Addresses.ChainRestBalanceEntry>
  getAddressBalanceHistory: (
    address: string,
    dayOrMonth: string,
    options?: Options,
  ) => Result<Addresses.ChainRestAddressBalanceHistory[]>
  getAddressNames: (options?: Options) => Result<Addresses.ChainRestAddressName[]>
  getAddressName: (address: string, options?: Options) => Result<Addresses.ChainRestAddressName>
  getTopAddresses: (options?: Options) => Result<Addresses.ChainRestTopAddresses[]>
  getFullTransactionsByAddress: (address: string, options?: Options) => Result<Transactions.ChainRestTransaction[]>
  getFullTransactionsByAddressPage: (address: string, options?: Options) => Result<Transactions.ChainRestTransaction[]>
  getUtxosByAddress: (address: string, options?: Options) => Result<Utxos.ChainRestUtxoResponse[]>
  getBalancesByAddresses: (addresses: string[], options?: Options) => Result<Addresses.ChainRestBalanceEntry[]>
  getTransactionAcceptance: (
    transactionIds: string[],
    options?: Options,
  ) => Result<Acceptance.ChainRestTransactionAcceptance[]>
  getTransactionsCount: (options?: Options) => Result<Transactions.ChainRestTransactionCountResponse>
  getTransactionsCountFor: (
    dayOrMonth: string,
    options?: Options,
  ) => Result<Transactions.ChainRestTransactionCountResponse[]>
  submitTransaction: (
    tx: Submission.ChainRestSubmitTxModel,
    options?: Options,
  ) => Result<Submission.ChainRestSubmitTransactionResponse>
  getUtxoCountByAddress: (address: string) => Result<Utxos.ChainRestUtxoCountResponse>
  getUtxosByAddresses: (addresses: string[]) => Result<Utxos.ChainRestUtxoResponse[]>
  getAddressTransactionCount: (address: string) => Result<Addresses.ChainRestTransactionCount>
  getBlock: (hash: string) => Result<Blocks.ChainRestBlock>
  getBlocks: (options: Options & { lowHash: string }) => Result<Blocks.ChainRestBlockResponse>
  getVirtualChain: () => Result<VirtualChain.ChainRestVcBlock[]>
  getVirtualSelectedParentBlueScore: () => Result<Network.ChainRestBlueScoreResponse>
  getBlockDag: () => Result<Network.ChainRestBlockdagResponse>
  getNetwork: () => Result<Network.ChainRestBlockdagResponse>
  getCoinSupply: () => Result<Network.ChainRestCoinSupplyResponse>
  getBlockReward: () => Result<Network.ChainRestBlockRewardResponse>
  getHalving: () => Result<Network.ChainRestHalvingResponse>
  getHashrate: () => Result<Network.ChainRestHashrateResponse>
  getMaxHashrate: () => Result<Network.ChainRestMaxHashrateResponse>
  getHashrateHistory: () => Result<Network.ChainRestHashrateHistoryResponse[]>
  getHashrateHistoryFor: (dayOrMonth: string) => Result<Network.ChainRestHashrateHistoryResponse[]>
  getHealth: () => Result<Health.ChainRestHealthResponse>
  getChaindInfo: () => Result<Health.ChainRestChaindInfoResponse>
  getMarketcap: () => Result<Network.ChainRestMarketCapResponse>
  calculateTransactionMass: (tx: Submission.ChainRestSubmitTxModel) => Result<Submission.ChainRestTxMass>
}

/** Further operations of the server. */
type Added =
  | 'getAddressDistribution'
  | 'getAddressTransactionPage'
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

/** Members other than operations. */
type Members = 'baseUrl' | 'cacheSize' | 'cacheSize$' | 'clearCache' | 'withOptions' | 'cache' | 'dispose'

describe('the client', () => {
  it('has each documented operation, with its parameters and its result', () => {
    expectTypeOf<ChainRestClient>().toExtend<Documented>()
  })

  it('has exactly the listed operations', () => {
    expectTypeOf<keyof ChainRestClient>().toEqualTypeOf<keyof Documented | Added | Members>()
    expectTypeOf<(typeof OPERATION_NAMES)[number]>().toEqualTypeOf<
      Exclude<keyof Documented | Added, 'getFullTransactionsByAddressPages'>
    >()
  })

  it('has the members of its type at run time', () => {
    const rest = createRestClient()
    const operations = Object.entries(rest).filter(([, member]) => typeof member === 'function')
    expect(operations.map(([name]) => name).sort()).toEqual(
      [...OPERATION_NAMES, 'getFullTransactionsByAddressPages', 'clearCache', 'withOptions', 'dispose'].sort(),
    )
  })

  it('does not depend on `this`: its members can be destructured', () => {
    const { clearCache, getAddressBalance } = createRestClient()
    expect(() => clearCache()).not.toThrow()
    expect(getAddressBalance).toBeTypeOf('function')
  })
})
