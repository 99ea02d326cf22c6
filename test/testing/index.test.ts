import { expect, it } from 'vitest'
import * as testing from '../../src/testing/index.js'

it('exports exactly these names', () => {
  expect(Object.keys(testing).sort()).toEqual([
    'block',
    'createFakeAnnouncedWallet',
    'createFakeWalletA',
    'createFakeWalletB',
    'createReplayNode',
    'createScriptedNode',
    'createTestPage',
    'createTestPlatform',
    'createTestWallets',
    'mempoolEntry',
    'ready',
    'testAddress',
    'transaction',
    'utxo',
  ])
})
