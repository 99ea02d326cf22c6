import { createFakeAnnouncedWallet } from './announced/fake.js'
import { createFakeWalletA } from './wallet-a/fake.js'
import { createFakeWalletB } from './wallet-b/fake.js'

/** The globals of the injectable script, for browser tests. */
export const fakeWallets = { createFakeWalletA, createFakeWalletB, createFakeAnnouncedWallet }

export type FakeWallets = typeof fakeWallets

Object.assign(window, { fakeWallets })
