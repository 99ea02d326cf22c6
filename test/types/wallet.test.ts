import { expectTypeOf, it } from 'vitest'
import type { ComputedRef, Ref } from 'vue'
import type {
  ChainEngine,
  ChainError,
  ChainNetwork,
  ChainWalletErrorCode,
  WalletInfo,
  InterruptedPayment,
  SignMessageResult,
  UseVueChainReturn,
  UseWalletReturn,
  WalletBalance,
  WalletOutput,
  WalletProvider,
  WalletSendOptions,
  WalletSession,
} from '../../src/index.js'

/** A ref that can be read, as declared in the specification. */
type Readable<T> = Readonly<Ref<T>>

it('useWallet has the specified and the additional members', () => {
  expectTypeOf<UseWalletReturn>().toExtend<{
    provider: Readable<WalletProvider | null>
    address: Readable<string | null>
    publicKey: Readable<string | null>
    balance: Readable<WalletBalance | null>
    network: Readable<string | null>
    isConnecting: Readable<boolean>
    isConnected: ComputedRef<boolean>
    isWalletAInstalled: ComputedRef<boolean>
    isWalletBInstalled: ComputedRef<boolean>
    error: Readable<ChainError | null>
    connect(wallet: WalletProvider | WalletInfo, network?: ChainNetwork): Promise<void>
    disconnect(): Promise<void>
    sendKaspa(to: string, amount: bigint, options?: WalletSendOptions): Promise<string>
    signMessage(message: string): Promise<SignMessageResult>
    discovered: Readable<readonly WalletInfo[]>
    signPskt(txJson: string): Promise<string>
    switchNetwork(network: ChainNetwork): Promise<void>
    canSendMany: Readable<boolean>
    canSignPskb: Readable<boolean>
    signPskb(text: string): Promise<string>
    sendMany(outputs: readonly WalletOutput[], options?: WalletSendOptions): Promise<string>
    request(method: string, params?: unknown): Promise<unknown>
    interrupted: Readable<readonly InterruptedPayment[]>
    dismissInterrupted(id: string): void
  }>()
})

it('the engine and useVueChain expose the wallet', () => {
  expectTypeOf<ChainEngine['wallet']>().toEqualTypeOf<WalletSession>()
  expectTypeOf<UseVueChainReturn['wallet']>().toEqualTypeOf<UseWalletReturn>()
})

it('sendMany takes plain outputs in sompi, and request returns what the caller has to narrow', () => {
  expectTypeOf<WalletOutput>().toEqualTypeOf<{ readonly address: string; readonly amount: bigint }>()
  expectTypeOf<Awaited<ReturnType<WalletSession['request']>>>().toBeUnknown()
})

it('there are two named wallets, and balances are bigints', () => {
  expectTypeOf<WalletProvider>().toEqualTypeOf<'walletA' | 'walletB'>()
  expectTypeOf<WalletBalance>().toEqualTypeOf<{
    readonly confirmed: bigint
    readonly unconfirmed: bigint
    readonly total: bigint
  }>()
  expectTypeOf<'rejected' | 'not-installed' | 'timeout' | 'unknown-outcome'>().toExtend<ChainWalletErrorCode>()
})
