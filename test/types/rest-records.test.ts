import { expectTypeOf, it } from 'vitest'
import type * as vueChain from '../../src/index.js'
import type { RestOperations } from '../../src/rest/index.js'

/** The specified records of the indexer. */
interface Promised {
  Transaction: {
    subnetwork_id?: string
    transaction_id?: string
    transactionId?: string
    hash?: string
    mass?: string
    payload?: string
    block_hash?: string[]
    block_time?: number
    version?: number
    is_accepted?: boolean
    accepting_block_hash?: string
    acceptingBlockHash?: string
    accepting_block_blue_score?: number
    acceptingBlockBlueScore?: number
    accepting_block_time?: number
    acceptingBlockTime?: number
    inputs?: unknown[]
    outputs?: unknown[]
    senderAddresses?: string[]
  }
  SubmitTxScriptPublicKey: { version: number; scriptPublicKey: string }
  SubmitTxOutpoint: { transactionId: string; index: number }
  SubmitTxInput: {
    previousOutpoint: Promised['SubmitTxOutpoint']
    signatureScript: string
    sequence: number
    sigOpCount: number
  }
  SubmitTxOutput: { amount: number; scriptPublicKey: Promised['SubmitTxScriptPublicKey'] }
  SubmitTxModel: {
    version: number
    inputs: Promised['SubmitTxInput'][]
    outputs: Promised['SubmitTxOutput'][]
    lockTime?: number
    subnetworkId?: string
  }
  SubmitTransactionRequest: { transaction: Promised['SubmitTxModel']; allowOrphan?: boolean }
  SubmitTransactionResponse: { transactionId?: string; error?: string }
  TxMass: { mass: number; storage_mass: number; compute_mass: number }
  TxSearch: { transactionIds?: string[]; acceptingBlueScores?: { gte: number; lt: number } }
  TxSearchAcceptingBlueScores: { gte: number; lt: number }
  TransactionAcceptance: {
    transactionId: string
    accepted?: boolean
    acceptingBlockHash?: string
    acceptingBlueScore?: number
    acceptingTimestamp?: number
  }
  AddressesActiveResponse: { address: string; active: boolean; lastTxBlockTime?: number }
  AddressesActiveCountResponse: { timestamp: number; dateTime: string; count: number }
  DistributionTier: { tier: number; count: number; amount: number }
  DistributionTiers: { timestamp: number; tiers: Promised['DistributionTier'][] }
  TransactionCountResponse: { timestamp: number; dateTime: string; coinbase: number; regular: number }
  Outpoint: { transactionId?: string; index?: number }
  ScriptPublicKey: { version?: number; script?: string }
  UtxoModel: {
    amount?: string
    scriptPublicKey: Promised['ScriptPublicKey']
    blockDaaScore?: string
    isCoinbase?: boolean
  }
  UtxoResponse: { address?: string; outpoint: Promised['Outpoint']; utxoEntry: Promised['UtxoModel'] }
  UtxoCountResponse: { count: number }
  BalancesByAddressEntry: { address: string; balance: number }
  BalanceEntry: { address: string; balance: number }
  BalanceResponse: { address: string; balance: number }
  AddressBalanceHistory: { timestamp: number; amount: number }
  AddressName: { address: string; name: string }
  TopAddress: { rank: number; address: string; amount: number }
  TopAddresses: { timestamp: number; ranking: Promised['TopAddress'][] }
  TransactionCount: { total: number }
  ParentHash: { parentHashes?: string[] }
  BlockHeader: {
    version?: number
    hashMerkleRoot?: string
    acceptedIdMerkleRoot?: string
    utxoCommitment?: string
    timestamp?: string
    bits?: number
    nonce?: string
    daaScore?: string
    blueWork?: string
    parents?: Promised['ParentHash'][]
    blueScore?: string
    pruningPoint?: string
  }
  VerboseData: {
    hash?: string
    difficulty?: number
    selectedParentHash?: string
    transactionIds?: string[]
    blueScore?: string
    childrenHashes?: string[]
    mergeSetBluesHashes?: string[]
    mergeSetRedsHashes?: string[]
    isChainBlock?: boolean
  }
  BlockTxInputPreviousOutpoint: { transactionId?: string; index?: number }
  BlockTxInput: {
    previousOutpoint?: Promised['BlockTxInputPreviousOutpoint']
    signatureScript?: string
    sigOpCount?: number
    sequence?: number
  }
  BlockTxOutputScriptPublicKey: { scriptPublicKey?: string; version?: number }
  BlockTxOutputVerboseData: { scriptPublicKeyType?: string; scriptPublicKeyAddress?: string }
  BlockTxOutput: {
    amount?: number
    scriptPublicKey?: Promised['BlockTxOutputScriptPublicKey']
    verboseData?: Promised['BlockTxOutputVerboseData']
  }
  BlockTxVerboseData: {
    transactionId: string
    hash?: string
    computeMass?: number
    blockHash?: string
    blockTime?: number
  }
  BlockTx: {
    inputs?: Promised['BlockTxInput'][]
    outputs?: Promised['BlockTxOutput'][]
    subnetworkId?: string
    payload?: string
    verboseData: Promised['BlockTxVerboseData']
    lockTime?: number
    gas?: number
    mass?: number
    version?: number
  }
  Block: {
    header: Promised['BlockHeader']
    transactions?: Promised['BlockTx'][]
    verboseData: Promised['VerboseData']
    extra?: Record<string, unknown>
  }
  BlockResponse: { blockHashes?: string[]; blocks?: Promised['Block'][] }
  BlueScoreResponse: { blueScore: number }
  BlockdagResponse: {
    networkName: string
    blockCount: string
    headerCount: string
    tipHashes: string[]
    difficulty: number
    pastMedianTime: string
    virtualParentHashes: string[]
    pruningPointHash: string
    virtualDaaScore: string
    sink: string
  }
  CoinSupplyResponse: { circulatingSupply: string; maxSupply: string }
  BlockRewardResponse: { blockreward: number }
  HalvingResponse: { nextHalvingTimestamp: number; nextHalvingDate: string; nextHalvingAmount: number }
  HashrateResponse: { hashrate: number }
  MaxHashrateResponse: { hashrate?: number; blockheader: Promised['BlockHeader'] }
  HashrateHistoryResponse: {
    daaScore: number
    blueScore: number
    timestamp: number
    date_time: string
    bits?: number
    difficulty: number
    hashrate_kh: number
  }
  PriceResponse: { price: number }
  MarketCapResponse: { marketcap: number }
  DBCheckStatus: {
    isSynced?: boolean
    blueScore?: number
    blueScoreDiff?: number
    acceptedTxBlockTime?: number
    acceptedTxBlockTimeDiff?: number
  }
  ChaindResponse: {
    chaindHost: string
    serverVersion?: string
    isUtxoIndexed?: boolean
    isSynced?: boolean
    p2pId?: string
    blueScore?: number
  }
  HealthResponse: { chaindServers: Promised['ChaindResponse'][]; database: Promised['DBCheckStatus'] }
  ChaindInfoResponse: {
    mempoolSize: string
    serverVersion: string
    isUtxoIndexed: boolean
    isSynced: boolean
    p2pIdHashed: string
  }
  VcBlock: {
    hash: string
    blue_score: number
    daa_score?: number
    timestamp?: number
    transactions?: { transaction_id: string; is_accepted?: boolean }[]
  }
  VcTxInput: {
    previous_outpoint_hash: string
    previous_outpoint_index: number
    signature_script?: string
    previous_outpoint_script?: string
    previous_outpoint_address?: string
    previous_outpoint_amount?: number
  }
  VcTxOutput: { script_public_key: string; script_public_key_address: string; amount: number }
  VcTx: {
    transaction_id: string
    is_accepted?: boolean
    inputs?: Promised['VcTxInput'][]
    outputs?: Promised['VcTxOutput'][]
  }
}

/** The exported records. */
interface Ours {
  Transaction: vueChain.ChainRestTransaction
  SubmitTxScriptPublicKey: vueChain.ChainRestSubmitTxScriptPublicKey
  SubmitTxOutpoint: vueChain.ChainRestSubmitTxOutpoint
  SubmitTxInput: vueChain.ChainRestSubmitTxInput
  SubmitTxOutput: vueChain.ChainRestSubmitTxOutput
  SubmitTxModel: vueChain.ChainRestSubmitTxModel
  SubmitTransactionRequest: vueChain.ChainRestSubmitTransactionRequest
  SubmitTransactionResponse: vueChain.ChainRestSubmitTransactionResponse
  TxMass: vueChain.ChainRestTxMass
  TxSearch: vueChain.ChainRestTxSearch
  TxSearchAcceptingBlueScores: vueChain.ChainRestTxSearchAcceptingBlueScores
  TransactionAcceptance: vueChain.ChainRestTransactionAcceptance
  AddressesActiveResponse: vueChain.ChainRestAddressesActiveResponse
  AddressesActiveCountResponse: vueChain.ChainRestAddressesActiveCountResponse
  DistributionTier: vueChain.ChainRestDistributionTier
  DistributionTiers: vueChain.ChainRestDistributionTiers
  TransactionCountResponse: vueChain.ChainRestTransactionCountResponse
  Outpoint: vueChain.ChainRestOutpoint
  ScriptPublicKey: vueChain.ChainRestScriptPublicKey
  UtxoModel: vueChain.ChainRestUtxoModel
  UtxoResponse: vueChain.ChainRestUtxoResponse
  UtxoCountResponse: vueChain.ChainRestUtxoCountResponse
  BalancesByAddressEntry: vueChain.ChainRestBalancesByAddressEntry
  BalanceEntry: vueChain.ChainRestBalanceEntry
  BalanceResponse: vueChain.ChainRestBalanceResponse
  AddressBalanceHistory: vueChain.ChainRestAddressBalanceHistory
  AddressName: vueChain.ChainRestAddressName
  TopAddress: vueChain.ChainRestTopAddress
  TopAddresses: vueChain.ChainRestTopAddresses
  TransactionCount: vueChain.ChainRestTransactionCount
  ParentHash: vueChain.ChainRestParentHash
  BlockHeader: vueChain.ChainRestBlockHeader
  VerboseData: vueChain.ChainRestVerboseData
  BlockTxInputPreviousOutpoint: vueChain.ChainRestBlockTxInputPreviousOutpoint
  BlockTxInput: vueChain.ChainRestBlockTxInput
  BlockTxOutputScriptPublicKey: vueChain.ChainRestBlockTxOutputScriptPublicKey
  BlockTxOutputVerboseData: vueChain.ChainRestBlockTxOutputVerboseData
  BlockTxOutput: vueChain.ChainRestBlockTxOutput
  BlockTxVerboseData: vueChain.ChainRestBlockTxVerboseData
  BlockTx: vueChain.ChainRestBlockTx
  Block: vueChain.ChainRestBlock
  BlockResponse: vueChain.ChainRestBlockResponse
  BlueScoreResponse: vueChain.ChainRestBlueScoreResponse
  BlockdagResponse: vueChain.ChainRestBlockdagResponse
  CoinSupplyResponse: vueChain.ChainRestCoinSupplyResponse
  BlockRewardResponse: vueChain.ChainRestBlockRewardResponse
  HalvingResponse: vueChain.ChainRestHalvingResponse
  HashrateResponse: vueChain.ChainRestHashrateResponse
  MaxHashrateResponse: vueChain.ChainRestMaxHashrateResponse
  HashrateHistoryResponse: vueChain.ChainRestHashrateHistoryResponse
  PriceResponse: vueChain.ChainRestPriceResponse
  MarketCapResponse: vueChain.ChainRestMarketCapResponse
  DBCheckStatus: vueChain.ChainRestDBCheckStatus
  ChaindResponse: vueChain.ChainRestChaindResponse
  HealthResponse: vueChain.ChainRestHealthResponse
  ChaindInfoResponse: vueChain.ChainRestChaindInfoResponse
  VcBlock: vueChain.ChainRestVcBlock
  VcTxInput: vueChain.ChainRestVcTxInput
  VcTxOutput: vueChain.ChainRestVcTxOutput
  VcTx: vueChain.ChainRestVcTx
}

/** The fields of a specified record that are missing in the exported one, or have another type. */
type Gap<Mine, Theirs> = {
  [Field in keyof Theirs]-?: Field extends keyof Mine ? ([Mine[Field]] extends [Theirs[Field]] ? never : Field) : Field
}[keyof Theirs]

/** `Name.field` for each of these fields. */
type Gaps = {
  [Name in keyof Promised]: `${Name}.${Gap<Ours[Name], Promised[Name]> & string}`
}[keyof Promised]

it('exports every specified record with every field and its type', () => {
  expectTypeOf<Gaps>().toEqualTypeOf<never>()
})

it('exported records are assignable to the specified ones', () => {
  expectTypeOf<Ours>().toExtend<Promised>()
})

it('accepts specified records as arguments', () => {
  type Taken = 'SubmitTxModel' | 'SubmitTransactionRequest' | 'TxSearch' | 'TxSearchAcceptingBlueScores'
  expectTypeOf<Pick<Promised, Taken>>().toExtend<Pick<Ours, Taken>>()
  expectTypeOf<Promised['SubmitTxModel']>().toExtend<Parameters<vueChain.UseChainRestReturn['submitTransaction']>[0]>()
  expectTypeOf<Promised['TxSearch']>().toExtend<Parameters<vueChain.UseChainRestReturn['searchTransactions']>[0]>()
})

it('exports the options of resolution, client and request', () => {
  expectTypeOf<vueChain.ChainRestResolvePreviousOutpoints>().toEqualTypeOf<'no' | 'light' | 'full'>()
  expectTypeOf<{
    baseUrl?: string
    staleTime?: number
    cacheTime?: number
    headers?: HeadersInit
    fetcher?: typeof fetch
  }>().toExtend<vueChain.ChainRestOptions>()
  type PerRequest = { forceRefresh?: boolean; staleTime?: number; cache?: boolean }
  expectTypeOf<PerRequest>().toExtend<vueChain.ChainRestRequestOptions>()
  expectTypeOf<keyof PerRequest>().toExtend<keyof vueChain.ChainRestRequestOptions>()
})

it('has an exact bigint for each amount', () => {
  expectTypeOf<vueChain.ChainRestBalanceEntry['balanceExact']>().toEqualTypeOf<bigint>()
  expectTypeOf<NonNullable<vueChain.ChainRestBlockTxOutput['amountExact']>>().toEqualTypeOf<bigint>()
  expectTypeOf<vueChain.ChainRestVcTxOutput['amountExact']>().toEqualTypeOf<bigint>()
  expectTypeOf<vueChain.ChainRestTxMass['massExact']>().toEqualTypeOf<bigint>()
})

it('is reachable from useVueChain, engine and composable', () => {
  expectTypeOf<vueChain.UseVueChainReturn['rest']>().toEqualTypeOf<vueChain.UseChainRestReturn>()
  expectTypeOf<vueChain.ChainEngine['rest']>().toEqualTypeOf<vueChain.ChainRestClient>()
  expectTypeOf<vueChain.UseChainRestReturn>().toExtend<RestOperations>()
  expectTypeOf<vueChain.UseChainRestReturn['baseUrl']['value']>().toEqualTypeOf<string>()
  expectTypeOf<vueChain.UseChainRestReturn['cacheSize']['value']>().toEqualTypeOf<number>()
})
