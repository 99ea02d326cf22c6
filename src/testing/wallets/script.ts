import { createFakeAnnouncedWallet } from './announced/fake.js'
import { createFakeWalletA } from './wallet-a/fake.js'
import { createFakeWalletB } from './wallet-b/fake.js'

/** What the injectable script puts into a page's window: the makers of fakes, for whoever drives the page. */
export const fakeWallets = { createFakeWalletA, createFakeWalletB, createFakeAnnouncedWallet }

export type FakeWallets = typeof fakeWallets

Object.assign(window, { fakeWallets })
