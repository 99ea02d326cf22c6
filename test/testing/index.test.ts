import { expect, it } from 'vitest'
import * as testing from '../../src/testing/index.js'

it('exports exactly these names', () => {
  expect(Object.keys(testing).sort()).toEqual([
    'contractMatchers',
    'createFakeAnnouncedWallet',
    'createFakeWalletA',
    'createFakeWalletB',
    'createReplayNode',
    'createScriptedNode',
    'createTestPage',
    'createTestPlatform',
    'createTestWallets',
    'fixtures',
    'ready',
    'runCall',
  ])
})
