import { describe, expectTypeOf, it } from 'vitest'
import type { ComputedRef, MaybeRefOrGetter, Ref } from 'vue'
import type {
  AcceptedTransactionInfo,
  BalanceResult,
  BlockDagInfo,
  BlockInfo,
  ChainError,
  ChainNetwork,
  ConnectedPeerInfo,
  CreateTransactionSettings,
  FeeEstimate,
  MempoolEntry,
  PeerAddress,
  PendingTx,
  RpcConnectionState,
  RpcEvent,
  RpcEventMap,
  RpcOptions,
  RpcResponse,
  ServerInfo,
  TransactionSummary,
  UseBalanceReturn,
  UseBlockListenerReturn,
  UseChainReturn,
  UseCryptoReturn,
  UseNetworkReturn,
  UseRpcReturn,
  UseTransactionListenerReturn,
  UseTransactionReturn,
  UseUtxoReturn,
  UtxoBalance,
  UtxoEntry,
  VirtualChainResult,
  WasmStatus,
} from '../../src/index.js'
import type { useTransactionStatus, useUtxo } from '../../src/index.js'

/** A ref that can be read, as declared in the specification. */
type Readable<T> = Readonly<Ref<T>>

describe('what each composable returns', () => {
  it('useChain', () => {
    expectTypeOf<UseChainReturn>().toExtend<{
      wasmStatus: Readable<WasmStatus>
      wasmError: Readable<ChainError | null>
      isReady: ComputedRef<boolean>
      init(): Promise<void>
      reset(): void
    }>()
  })

  it('useRpc: state', () => {
    expectTypeOf<UseRpcReturn>().toExtend<{
      connectionState: Readable<RpcConnectionState>
      isConnected: ComputedRef<boolean>
      url: Readable<string | null>
      networkId: Readable<string | null>
      serverVersion: Readable<string | null>
      isSynced: Readable<boolean>
      virtualDaaScore: Readable<bigint>
      error: Readable<ChainError | null>
      attempt: Readable<number>
      nextRetryAt: Readable<number | null>
      eventLog: Readable<RpcEvent[]>
      clearEventLog(): void
      connect(options?: RpcOptions): Promise<void>
      disconnect(): Promise<void>
      reconnect(): Promise<void>
      ping(): Promise<void>
    }>()
  })

  it('useRpc: handlers receive the record of their event type', () => {
    const listen = ({ on, off }: UseRpcReturn): (() => void) => {
      const handler = ({ data }: RpcEvent<RpcEventMap['block-added']>) => data.block.header.hash
      off('block-added', handler)
      return on('utxos-changed', ({ data }) => expectTypeOf(data.added).items.toExtend<UtxoEntry>())
    }
    expectTypeOf(listen).returns.toEqualTypeOf<() => void>()
  })

  it('useRpc: queries', () => {
    expectTypeOf<UseRpcReturn>().toExtend<{
      getInfo(): Promise<ServerInfo>
      getServerInfo(): Promise<RpcResponse<'getServerInfo'>>
      getBlock(hash: string): Promise<BlockInfo>
      getBlocks(options?: {
        lowHash?: string
        includeBlocks?: boolean
        includeTransactions?: boolean
      }): Promise<RpcResponse<'getBlocks'>>
      getBlockCount(): Promise<{ blockCount: bigint; headerCount: bigint }>
      getBlockDagInfo(): Promise<BlockDagInfo>
      getHeaders(startHash: string, limit: number, isAscending: boolean): Promise<RpcResponse<'getHeaders'>>
      getSink(): Promise<{ sink: string }>
      getSinkBlueScore(): Promise<{ sinkBlueScore: bigint }>
      getVirtualChainFromBlock(startHash: string, includeAcceptedTransactionIds: boolean): Promise<VirtualChainResult>
      getVirtualChainFromBlockV2(startHash: string): Promise<RpcResponse<'getVirtualChainFromBlockV2'>>
      getBalanceByAddress(address: string): Promise<BalanceResult>
      getBalancesByAddresses(addresses: string[]): Promise<BalanceResult[]>
      getUtxosByAddresses(addresses: string[]): Promise<UtxoEntry[]>
      getUtxoReturnAddress(transactionId: string, acceptingDaaScore: bigint): Promise<string>
      getMempoolEntry(transactionId: string): Promise<MempoolEntry>
      getMempoolEntries(includeOrphanPool?: boolean): Promise<MempoolEntry[]>
      getMempoolEntriesByAddresses(
        addresses: string[],
      ): Promise<{ address: string; sending: MempoolEntry[]; receiving: MempoolEntry[] }[]>
      getFeeEstimate(): Promise<FeeEstimate>
      getCoinSupply(): Promise<{ circulatingCoinSupply: bigint; maxCoinSupply: bigint }>
      getConnectedPeerInfo(): Promise<ConnectedPeerInfo[]>
      getPeerAddresses(): Promise<{ banned: PeerAddress[]; known: PeerAddress[] }>
      getMetrics(): Promise<RpcResponse<'getMetrics'>>
      getSystemInfo(): Promise<RpcResponse<'getSystemInfo'>>
      getConnections(): Promise<RpcResponse<'getConnections'>>
      getSyncStatus(): Promise<{ isSynced: boolean }>
      getCurrentNetwork(): Promise<string>
      getCurrentBlockColor(hash: string): Promise<{ blue: boolean }>
      getDaaScoreTimestampEstimate(daaScores: bigint[]): Promise<number[]>
      getSubnetwork(subnetworkId: string): Promise<RpcResponse<'getSubnetwork'>>
      estimateNetworkHashesPerSecond(windowSize: number, tipHash?: string): Promise<{ networkHashesPerSecond: bigint }>
      getBlockTemplate(payAddress: string, extraData?: string): Promise<RpcResponse<'getBlockTemplate'>>
      addPeer(peerAddress: string, isPermanent?: boolean): Promise<void>
      ban(ip: string): Promise<void>
      unban(ip: string): Promise<void>
      resolveFinalityConflict(finalityBlockHash: string): Promise<void>
      shutdown(): Promise<void>
    }>()
    expectTypeOf<UseRpcReturn['submitTransaction']>().returns.resolves.toEqualTypeOf<string>()
    expectTypeOf<UseRpcReturn['submitTransactionReplacement']>().returns.resolves.toEqualTypeOf<string>()
    expectTypeOf<UseRpcReturn['submitBlock']>().returns.resolves.toEqualTypeOf<RpcResponse<'submitBlock'>>()
  })

  it('useRpc: a pair of subscription methods per scope', () => {
    type Command = () => Promise<void>
    type Plain =
      | 'BlockAdded'
      | 'FinalityConflict'
      | 'FinalityConflictResolved'
      | 'SinkBlueScoreChanged'
      | 'VirtualDaaScoreChanged'
      | 'DaaScore'
      | 'PruningPointUtxoSetOverride'
      | 'NewBlockTemplate'
    expectTypeOf<UseRpcReturn>().toExtend<Record<`subscribe${Plain}` | `unsubscribe${Plain}`, Command>>()
    expectTypeOf<UseRpcReturn>().toExtend<{
      subscribeUtxosChanged(addresses: string[]): Promise<void>
      unsubscribeUtxosChanged(addresses: string[]): Promise<void>
      subscribeVirtualChainChanged(includeAcceptedTransactionIds: boolean): Promise<void>
      unsubscribeVirtualChainChanged(include: boolean): Promise<void>
    }>()
  })

  it('useUtxo', () => {
    expectTypeOf<UseUtxoReturn>().toExtend<{
      entries: Readable<UtxoEntry[]>
      balance: ComputedRef<UtxoBalance>
      matureEntries: ComputedRef<UtxoEntry[]>
      freshness: Readable<'unknown' | 'loading' | 'fresh' | 'stale'>
      trackedAddresses: Readable<string[]>
      isTracking: ComputedRef<boolean>
      isLoading: Readable<boolean>
      error: Readable<ChainError | null>
      track(addresses: string[]): Promise<void>
      untrack(addresses: string[]): Promise<void>
      refresh(): Promise<void>
      clear(): Promise<void>
    }>()
    type Addresses = MaybeRefOrGetter<string | readonly string[] | null | undefined>
    expectTypeOf<Addresses>().toExtend<Parameters<typeof useUtxo>[0]>()
    expectTypeOf<{ mempoolInterval?: number; coinbaseMaturity?: bigint }>().toExtend<Parameters<typeof useUtxo>[1]>()
  })

  it('useBalance', () => {
    expectTypeOf<UseBalanceReturn>().toExtend<{
      balance: Readable<{ total: bigint; mature: bigint; unconfirmed: bigint; immature: bigint }>
      freshness: Readable<'unknown' | 'loading' | 'fresh' | 'stale'>
      error: Readable<ChainError | null>
    }>()
  })

  it('useTransaction and useTransactionStatus', () => {
    expectTypeOf<UseTransactionReturn>().toExtend<{
      estimate(settings: CreateTransactionSettings): Promise<TransactionSummary>
      create(settings: CreateTransactionSettings): Promise<{ transactions: PendingTx[]; summary: TransactionSummary }>
      send(
        settings: CreateTransactionSettings & { privateKeys: string[] },
      ): Promise<{ transactionIds: string[]; summary: TransactionSummary }>
    }>()
    expectTypeOf<MaybeRefOrGetter<string | null>>().toExtend<Parameters<typeof useTransactionStatus>[0]>()
    expectTypeOf<ReturnType<typeof useTransactionStatus>>().toExtend<{
      acceptingBlockHash: Readable<string | null>
      confirmations: Readable<number>
      error: Readable<ChainError | null>
    }>()
  })

  it('useTransactionListener and useBlockListener', () => {
    interface Listener {
      isListening: ComputedRef<boolean>
      error: Readable<ChainError | null>
      subscribe(): Promise<void>
      unsubscribe(): Promise<void>
      clear(): void
    }
    expectTypeOf<UseTransactionListenerReturn>().toExtend<
      Listener & {
        transactions: Readable<string[]>
        acceptedTransactions: Readable<AcceptedTransactionInfo[]>
        resolveSenderAddresses(transactionId: string): Promise<string[]>
      }
    >()
    expectTypeOf<UseBlockListenerReturn>().toExtend<Listener & { blocks: Readable<BlockInfo[]> }>()
  })

  it('useNetwork', () => {
    expectTypeOf<UseNetworkReturn>().toExtend<{
      currentNetwork: Readable<ChainNetwork>
      networkId: Readable<string | null>
      isMainnet: ComputedRef<boolean>
      isTestnet: ComputedRef<boolean>
      daaScore: Readable<bigint>
      switchNetwork(network: ChainNetwork, options?: { url?: string }): Promise<void>
      availableNetworks: readonly ChainNetwork[]
    }>()
  })

  it('useCrypto', () => {
    type Keypair = { privateKeyHex: string; publicKeyHex: string; address: string }
    type Derived = { index: number; publicKeyHex: string; address: string }
    expectTypeOf<UseCryptoReturn>().toExtend<{
      generateMnemonic(wordCount?: 12 | 24): { phrase: string; wordCount: 12 | 24 }
      generateKeypair(network: ChainNetwork): Keypair
      mnemonicToKeypair(
        phrase: string,
        network: ChainNetwork,
        options?: { account?: number; index?: number; change?: boolean; passphrase?: string },
      ): Keypair
      derivePublicKeys(
        phrase: string,
        network: ChainNetwork,
        receiveCount?: number,
        changeCount?: number,
      ): { receive: Derived[]; change: Derived[] }
      derivePrivateKey(
        phrase: string,
        network: ChainNetwork,
        path: { account?: number; index: number; change?: boolean },
        passphrase?: string,
      ): Keypair
      createAddress(publicKeyHex: string, network: ChainNetwork): string
      isValidAddress(address: string, network?: ChainNetwork): boolean
      isValidMnemonic(phrase: string): boolean
      signMessage(message: string, privateKeyHex: string): { message: string; signature: string; publicKeyHex: string }
      verifyMessage(message: string, signature: string, publicKeyHex: string): boolean
      kaspaToSompi(kas: string | number): bigint
      sompiToKaspa(sompi: bigint): string
      sompiToKaspaString(sompi: bigint, decimals?: number): string
      currencyUnit(network?: ChainNetwork): 'KAS' | 'TKAS' | 'SKAS' | 'DKAS'
      numberToKaspa(sompi: bigint | number, network?: ChainNetwork): string
      numberToSompi(kas: string | number): bigint
    }>()
  })
})
