import { createFakeAnnouncedWallet } from './announced/fake.js'
import { createFakeWalletA } from './wallet-a/fake.js'
import { createFakeWalletB } from './wallet-b/fake.js'

/** The globals of the injectable script, for browser tests. */
export interface FakeWallets {
  readonly createFakeWalletA: typeof createFakeWalletA
  readonly createFakeWalletB: typeof createFakeWalletB
  readonly createFakeAnnouncedWallet: typeof createFakeAnnouncedWallet
}

export const fakeWallets: FakeWallets = { createFakeWalletA, createFakeWalletB, createFakeAnnouncedWallet }

Object.assign(window, { fakeWallets })
