import { asyncScheduler } from 'rxjs'
import { afterEach, beforeEach, vi } from 'vitest'
import type { ChainWalletError } from '../../src/errors/wallet-error.js'
import { createWalletSession } from '../../src/streams/wallet/create-session.js'
import type { WalletState, WalletSession } from '../../src/streams/wallet/wallet-session.js'
import { createFakeAnnouncedWallet } from '../../src/testing/wallets/announced/fake.js'
import { createTestPlatform, type TestPlatform } from '../../src/testing/platform.js'
import { createTestPage, type TestPage, type TestPageState } from '../../src/testing/wallets/page.js'
import { createFakeWalletA } from '../../src/testing/wallets/wallet-a/fake.js'
import { createFakeWalletB, type FakeWalletBOptions } from '../../src/testing/wallets/wallet-b/fake.js'
import { createPageWallets } from '../../src/wallets/page-wallets.js'

export const ADDRESS = 'kaspa:qqd6e65yefepe9wk0m9vuxdufxd80sphy67gwwd0vdaumzdt4tc9s3qt0lqeh'
export const OTHER_ADDRESS = 'kaspa:qp6r0d88yj4fazlj057wc35245jfgs87n9jn6nahfg223996dfukvgpgq6pcp'
export const TESTNET_ADDRESS = 'kaspatest:qqd6e65yefepe9wk0m9vuxdufxd80sphy67gwwd0vdaumzdt4tc9ssxd5s7gn'
export const PUBLIC_KEY = '031bacea84ca721c95d67ecace19bc499a77c03726bc8739af637bcd89abaaf058'

/** An unsigned input that spends a UTXO of the account. */
const toInput = (transactionId: string, amount: string) => ({
  transactionId,
  index: 0,
  sequence: '0',
  sigOpCount: 1,
  utxo: { amount, scriptPublicKey: `000020${PUBLIC_KEY.slice(2)}ac` },
})

/** An unsigned transaction that spends two UTXOs of the account, in the SDK's safe JSON. */
export const SAFE_TRANSACTION = JSON.stringify({
  id: '00'.repeat(32),
  version: 0,
  inputs: [toInput('11'.repeat(32), '300000000'), toInput('22'.repeat(32), '9007199254740993')],
  outputs: [{ value: '100000000', scriptPublicKey: `000020${PUBLIC_KEY.slice(2)}ac` }],
  lockTime: '0',
  gas: '0',
  subnetworkId: '00'.repeat(20),
  payload: '',
})

/** A page, its platform, and sessions in it. */
export interface Harness {
  readonly page: TestPage
  readonly platform: TestPlatform
  /** Creates a session with the page's wallets. */
  readonly openSession: () => WalletSession & { dispose(): void }
}

export function createHarness(initial: Partial<TestPageState> = {}): Harness {
  const page = createTestPage(initial)
  const platform = createTestPlatform({ scheduler: asyncScheduler })
  return {
    page,
    platform,
    openSession: () => createWalletSession({ wallets: createPageWallets(platform, page), platform }),
  }
}

/** Uses fake timers in all tests of a file. */
export function useFakeTime(): void {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })
}

/** Advances the fake time. */
export const advance = async (ms = 1_000): Promise<void> => {
  await vi.advanceTimersByTimeAsync(ms)
}

/** The result of a promise, advancing the time by at most `ms`. */
export async function outcome<T>(promise: Promise<T>, ms = 3_000): Promise<T> {
  const operation = { isOpen: true }
  const settle = (): void => {
    operation.isOpen = false
  }
  promise.then(settle, settle)
  for (let passed = 0; passed <= ms && operation.isOpen; passed += STEP) await advance(STEP)
  if (operation.isOpen) throw new Error('The operation is still pending')
  return promise
}

const STEP = 5

/** The error of a failed operation. */
export async function failure(promise: Promise<unknown>, ms?: number): Promise<ChainWalletError> {
  try {
    await outcome(promise, ms)
  } catch (error) {
    return error as ChainWalletError
  }
  throw new Error('The operation succeeded')
}

/** A promise in progress, whose rejection is handled later. */
export function begin<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined) // the test checks the rejection later
  return promise
}

export const accountOf = ({ status, provider, address, publicKey, network, balance }: WalletState) => ({
  status,
  provider,
  address,
  publicKey,
  network,
  balance,
})

/** Each kind of fake wallet with its id for `connect`. */
export const WALLETS = {
  walletA: { id: 'walletA', create: createFakeWalletA },
  walletB: {
    id: 'walletB',
    create: (options: FakeWalletBOptions) => createFakeWalletB({ timeout: 180_000, ...options }),
  },
  announced: { id: 'announced:org.example.wallet', create: createFakeAnnouncedWallet },
} as const
