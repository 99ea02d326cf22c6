import { expect, it } from 'vitest'
import * as door from '../../src/testing/index.js'

it('opens on these names, so that none appears or vanishes unseen', () => {
  expect(Object.keys(door).sort()).toEqual([
    'createFakeAnnouncedWallet',
    'createFakeWalletA',
    'createFakeWalletB',
    'createScriptedNode',
    'createTestPage',
    'createTestPlatform',
    'createTestWallets',
  ])
})
