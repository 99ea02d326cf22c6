import { describe, expectTypeOf, it } from 'vitest'
import type {
  AcceptedTransactionInfo,
  BalanceResult,
  BlockDagInfo,
  BlockInfo,
  ChainNetwork,
  ConnectedPeerInfo,
  CreateTransactionSettings,
  DerivedKey,
  FeeEstimate,
  KeypairInfo,
  MempoolEntry,
  MnemonicInfo,
  PaymentOutput,
  PeerAddress,
  PendingTx,
  RpcConnectionState,
  RpcEncoding,
  RpcEvent,
  RpcEventMap,
  RpcEventType,
  RpcOptions,
  ServerInfo,
  SignMessageResult,
  TransactionListenerOptions,
  TransactionSummary,
  UtxoBalance,
  UtxoEntry,
  VirtualChainResult,
  VueChainOptions,
  WasmStatus,
} from '../../src/index.js'

/**
 * The specified shape of each record. Fields may be added; none may be removed, change its type or become optional.
 * Inputs must accept the specified shape.
 */
describe('configuration', () => {
  it('accepts every option of the plugin, all optional', () => {
    interface Promised {
      network?: 'mainnet' | 'testnet-10' | 'testnet-12' | 'simnet' | 'devnet' | undefined
      url?: string | undefined
      urls?: string[] | undefined
      restUrl?: string | undefined
      resolver?: boolean | undefined
      resolvers?: string[] | undefined
      encoding?: 'Borsh' | 'SerdeJson' | undefined
      autoConnect?: boolean | undefined
      devtools?: boolean | undefined
      panicHook?: 'console' | 'browser' | false | undefined
      reconnect?:
        | false
        | { maxRetries?: number; baseDelay?: number; maxDelay?: number; factor?: number; jitter?: number }
      heartbeat?: false | { interval?: number; timeout?: number }
      connectTimeout?: number | undefined
      requestTimeout?: number | undefined
      maxFrameSize?: number | undefined
      sdk?: () => Promise<unknown>
    }
    expectTypeOf<Promised>().toExtend<VueChainOptions>()
    expectTypeOf<Required<VueChainOptions>>().toHaveProperty('logger')
    expectTypeOf<Required<VueChainOptions>>().toHaveProperty('ports')
  })

  it('accepts a subset of them for one connection', () => {
    type Promised = { url?: string; resolver?: boolean; network?: ChainNetwork; encoding?: RpcEncoding }
    expectTypeOf<Promised>().toExtend<RpcOptions>()
  })

  it('names networks, encodings and states by literals', () => {
    expectTypeOf<ChainNetwork>().toEqualTypeOf<'mainnet' | 'testnet-10' | 'testnet-12' | 'simnet' | 'devnet'>()
    expectTypeOf<RpcEncoding>().toEqualTypeOf<'Borsh' | 'SerdeJson'>()
    expectTypeOf<WasmStatus>().toEqualTypeOf<'idle' | 'loading' | 'ready' | 'error'>()
    expectTypeOf<RpcConnectionState>().toEqualTypeOf<
      'disconnected' | 'connecting' | 'connected' | 'reconnecting' | 'error'
    >()
    expectTypeOf<RpcEventType>().toEqualTypeOf<
      | 'connect'
      | 'disconnect'
      | 'block-added'
      | 'virtual-chain-changed'
      | 'utxos-changed'
      | 'finality-conflict'
      | 'finality-conflict-resolved'
      | 'sink-blue-score-changed'
      | 'virtual-daa-score-changed'
      | 'new-block-template'
      | 'pruning-point-utxo-set-override'
    >()
  })
})

describe('records of the node', () => {
  it('has the specified fields', () => {
    expectTypeOf<ServerInfo>().toExtend<{
      isUtxoIndexEnabled: boolean
      isSynced: boolean
      hasNotifyCommand: boolean
      hasMessageId: boolean
      serverVersion: string
      networkId: string
    }>()
    expectTypeOf<BlockInfo>().toExtend<{
      hash: string
      timestamp: number
      blueScore: bigint
      transactions: string[]
    }>()
    expectTypeOf<UtxoEntry>().toExtend<{
      address?: string | undefined
      outpoint: { transactionId: string; index: number }
      amount: bigint
      scriptPublicKey: { version: number; script: string }
      blockDaaScore: bigint
      isCoinbase: boolean
    }>()
    expectTypeOf<UtxoBalance>().toExtend<{ mature: bigint; pending: bigint; outgoing: bigint }>()
    expectTypeOf<BalanceResult>().toExtend<{ address: string; balance: bigint }>()
    expectTypeOf<MempoolEntry>().toExtend<{
      fee: bigint
      isOrphan: boolean
      transaction: { id: string; inputs: unknown[]; outputs: unknown[] }
    }>()
    type Bucket = { feerate: number; estimatedSeconds: number }
    expectTypeOf<FeeEstimate>().toExtend<{
      priorityBucket: Bucket
      normalBuckets: Bucket[]
      lowBuckets: Bucket[]
    }>()
  })

  it('has a typed record for each event in one envelope', () => {
    expectTypeOf<keyof RpcEventMap>().toEqualTypeOf<RpcEventType>()
    expectTypeOf<RpcEventMap['connect']>().toExtend<{ url: string }>()
    expectTypeOf<RpcEventMap['disconnect']>().toExtend<{ url: string; reason: string }>()
    expectTypeOf<RpcEventMap['virtual-daa-score-changed']>().toExtend<{ virtualDaaScore: bigint }>()
    expectTypeOf<RpcEventMap['utxos-changed']['added'][number]>().toExtend<UtxoEntry>()
    expectTypeOf<RpcEvent<{ url: string }>>().toExtend<{
      type: RpcEventType
      data: { url: string }
      timestamp: number
    }>()
  })

  it('exports the wire records it returns unchanged', () => {
    expectTypeOf<BlockDagInfo>().toHaveProperty('virtualDaaScore').toEqualTypeOf<bigint>()
    expectTypeOf<VirtualChainResult>().toHaveProperty('removedChainBlockHashes')
    expectTypeOf<ConnectedPeerInfo>().toHaveProperty('isIbdPeer').toEqualTypeOf<boolean>()
    expectTypeOf<PeerAddress>().toHaveProperty('ip').toEqualTypeOf<string>()
  })
})

describe('payments', () => {
  it('accept the specified settings', () => {
    interface Promised {
      entries: UtxoEntry[]
      outputs?: { address: string; amount: bigint }[]
      changeAddress: string
      priorityFee?: bigint
      feeRate?: number
      payload?: string
      networkId?: string
    }
    expectTypeOf<Promised>().toExtend<CreateTransactionSettings>()
    expectTypeOf<{ address: string; amount: bigint }>().toExtend<PaymentOutput>()
  })

  it('return the specified summary, and can be signed and submitted', () => {
    expectTypeOf<TransactionSummary>().toExtend<{
      fees: bigint
      mass: bigint
      transactions: number
      finalTransactionId?: string | undefined
      finalAmount?: bigint | undefined
    }>()
    expectTypeOf<PendingTx>().toExtend<{
      sign(privateKeys: string[]): void
      submit(): Promise<string>
      serialize(): unknown
      addresses(): string[]
    }>()
  })
})

describe('keys and listeners', () => {
  it('have the specified fields', () => {
    expectTypeOf<KeypairInfo>().toExtend<{ privateKeyHex: string; publicKeyHex: string; address: string }>()
    expectTypeOf<MnemonicInfo>().toExtend<{ phrase: string; wordCount: 12 | 24 }>()
    expectTypeOf<DerivedKey>().toExtend<{ index: number; publicKeyHex: string; address: string }>()
    expectTypeOf<SignMessageResult>().toExtend<{ message: string; signature: string; publicKeyHex: string }>()
    type Options = { maxHistory?: number; autoSubscribe?: boolean; includeSenderAddresses?: boolean }
    expectTypeOf<Options>().toExtend<TransactionListenerOptions>()
    expectTypeOf<AcceptedTransactionInfo>().toExtend<{
      transactionId: string
      acceptingBlockHash: string
      senderAddresses: string[]
    }>()
  })
})
