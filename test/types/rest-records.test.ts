import { expectTypeOf, it } from 'vitest'
import type * as door from '../../src/index.js'

/** The promised records of the indexer, in their own words. */
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

/** Ours, as the front door hands them out. */
interface Ours {
  Transaction: door.ChainRestTransaction
  SubmitTxScriptPublicKey: door.ChainRestSubmitTxScriptPublicKey
  SubmitTxOutpoint: door.ChainRestSubmitTxOutpoint
  SubmitTxInput: door.ChainRestSubmitTxInput
  SubmitTxOutput: door.ChainRestSubmitTxOutput
  SubmitTxModel: door.ChainRestSubmitTxModel
  SubmitTransactionRequest: door.ChainRestSubmitTransactionRequest
  SubmitTransactionResponse: door.ChainRestSubmitTransactionResponse
  TxMass: door.ChainRestTxMass
  TxSearch: door.ChainRestTxSearch
  TxSearchAcceptingBlueScores: door.ChainRestTxSearchAcceptingBlueScores
  TransactionAcceptance: door.ChainRestTransactionAcceptance
  AddressesActiveResponse: door.ChainRestAddressesActiveResponse
  AddressesActiveCountResponse: door.ChainRestAddressesActiveCountResponse
  DistributionTier: door.ChainRestDistributionTier
  DistributionTiers: door.ChainRestDistributionTiers
  TransactionCountResponse: door.ChainRestTransactionCountResponse
  Outpoint: door.ChainRestOutpoint
  ScriptPublicKey: door.ChainRestScriptPublicKey
  UtxoModel: door.ChainRestUtxoModel
  UtxoResponse: door.ChainRestUtxoResponse
  UtxoCountResponse: door.ChainRestUtxoCountResponse
  BalancesByAddressEntry: door.ChainRestBalancesByAddressEntry
  BalanceEntry: door.ChainRestBalanceEntry
  BalanceResponse: door.ChainRestBalanceResponse
  AddressBalanceHistory: door.ChainRestAddressBalanceHistory
  AddressName: door.ChainRestAddressName
  TopAddress: door.ChainRestTopAddress
  TopAddresses: door.ChainRestTopAddresses
  TransactionCount: door.ChainRestTransactionCount
  ParentHash: door.ChainRestParentHash
  BlockHeader: door.ChainRestBlockHeader
  VerboseData: door.ChainRestVerboseData
  BlockTxInputPreviousOutpoint: door.ChainRestBlockTxInputPreviousOutpoint
  BlockTxInput: door.ChainRestBlockTxInput
  BlockTxOutputScriptPublicKey: door.ChainRestBlockTxOutputScriptPublicKey
  BlockTxOutputVerboseData: door.ChainRestBlockTxOutputVerboseData
  BlockTxOutput: door.ChainRestBlockTxOutput
  BlockTxVerboseData: door.ChainRestBlockTxVerboseData
  BlockTx: door.ChainRestBlockTx
  Block: door.ChainRestBlock
  BlockResponse: door.ChainRestBlockResponse
  BlueScoreResponse: door.ChainRestBlueScoreResponse
  BlockdagResponse: door.ChainRestBlockdagResponse
  CoinSupplyResponse: door.ChainRestCoinSupplyResponse
  BlockRewardResponse: door.ChainRestBlockRewardResponse
  HalvingResponse: door.ChainRestHalvingResponse
  HashrateResponse: door.ChainRestHashrateResponse
  MaxHashrateResponse: door.ChainRestMaxHashrateResponse
  HashrateHistoryResponse: door.ChainRestHashrateHistoryResponse
  PriceResponse: door.ChainRestPriceResponse
  MarketCapResponse: door.ChainRestMarketCapResponse
  DBCheckStatus: door.ChainRestDBCheckStatus
  ChaindResponse: door.ChainRestChaindResponse
  HealthResponse: door.ChainRestHealthResponse
  ChaindInfoResponse: door.ChainRestChaindInfoResponse
  VcBlock: door.ChainRestVcBlock
  VcTxInput: door.ChainRestVcTxInput
  VcTxOutput: door.ChainRestVcTxOutput
  VcTx: door.ChainRestVcTx
}

/** The fields of a promised record that ours has not, or has with another type. */
type Gap<Mine, Theirs> = {
  [Field in keyof Theirs]-?: Field extends keyof Mine ? ([Mine[Field]] extends [Theirs[Field]] ? never : Field) : Field
}[keyof Theirs]

/** `Name.field` for each of them. */
type Gaps = {
  [Name in keyof Promised]: `${Name}.${Gap<Ours[Name], Promised[Name]> & string}`
}[keyof Promised]

it('has every promised record, each with every field at its type', () => {
  expectTypeOf<Gaps>().toEqualTypeOf<never>()
})

it('hands them out where the promised ones are wanted, lists and all', () => {
  expectTypeOf<Ours>().toExtend<Promised>()
})

it('takes the promised ones where it asks for its own', () => {
  type Taken = 'SubmitTxModel' | 'SubmitTransactionRequest' | 'TxSearch' | 'TxSearchAcceptingBlueScores'
  expectTypeOf<Pick<Promised, Taken>>().toExtend<Pick<Ours, Taken>>()
  expectTypeOf<Promised['SubmitTxModel']>().toExtend<Parameters<door.UseChainRestReturn['submitTransaction']>[0]>()
  expectTypeOf<Promised['TxSearch']>().toExtend<Parameters<door.UseChainRestReturn['searchTransactions']>[0]>()
})

it('names how much is resolved, and how a client is made', () => {
  expectTypeOf<door.ChainRestResolvePreviousOutpoints>().toEqualTypeOf<'no' | 'light' | 'full'>()
  expectTypeOf<{
    baseUrl?: string
    staleTime?: number
    cacheTime?: number
    headers?: HeadersInit
    fetcher?: typeof fetch
  }>().toExtend<door.ChainRestOptions>()
  type PerRequest = { forceRefresh?: boolean; staleTime?: number; cache?: boolean }
  expectTypeOf<PerRequest>().toExtend<door.ChainRestRequestOptions>()
  expectTypeOf<keyof PerRequest>().toExtend<keyof door.ChainRestRequestOptions>()
})

it('gives each amount beside its rounded self, to the last digit', () => {
  expectTypeOf<door.ChainRestBalanceEntry['balanceExact']>().toEqualTypeOf<bigint>()
  expectTypeOf<NonNullable<door.ChainRestBlockTxOutput['amountExact']>>().toEqualTypeOf<bigint>()
  expectTypeOf<door.ChainRestVcTxOutput['amountExact']>().toEqualTypeOf<bigint>()
  expectTypeOf<door.ChainRestTxMass['massExact']>().toEqualTypeOf<bigint>()
})

it('is reached from every side', () => {
  expectTypeOf<door.UseVueChainReturn['rest']>().toEqualTypeOf<door.UseChainRestReturn>()
  expectTypeOf<door.ChainEngine['rest']>().toEqualTypeOf<door.ChainRestClient>()
  expectTypeOf<door.UseChainRestReturn>().toExtend<door.RestOperations>()
  expectTypeOf<door.UseChainRestReturn['baseUrl']['value']>().toEqualTypeOf<string>()
  expectTypeOf<door.UseChainRestReturn['cacheSize']['value']>().toEqualTypeOf<number>()
})
