/** The testing door: what stands in for the world in tests of apps, without WASM, sockets or extensions. Nothing of it belongs into an app. */

// Browser wallets
export { createFakeWalletA } from './wallets/wallet-a/fake.js'
export type { FakeWalletA, FakeWalletAOptions } from './wallets/wallet-a/fake.js'
export type { KaswareAnswers } from './wallets/wallet-a/answers.js'
export { createFakeWalletB } from './wallets/wallet-b/fake.js'
export type { FakeWalletB, FakeWalletBOptions } from './wallets/wallet-b/fake.js'
export type { KastleAnswers } from './wallets/wallet-b/extension.js'
export type { Arrival } from './wallets/wallet-b/install.js'
export type { KastleProfile } from './wallets/wallet-b/profile.js'
export { createFakeAnnouncedWallet } from './wallets/announced/fake.js'
export type { FakeAnnouncedWallet, FakeAnnouncedWalletOptions } from './wallets/announced/fake.js'
export type { AnnouncedInfo, AnnouncementStandard } from './wallets/announced/announce.js'
export type { WalletFaults } from './wallets/faults.js'
export type { Journal, WalletCall } from './wallets/journal.js'
export type { Injection, PageWindow } from './wallets/page.js'
export { createTestPage } from './wallets/test-page.js'
export type { TestPage, TestPageState } from './wallets/test-page.js'
export { createTestWallets } from './wallets/wallets-port.js'
export type { Prompt, PromptAnswer, PromptKind, PromptPolicy, Prompts } from './wallets/prompts.js'
export type { FakeWallets } from './wallets/script.js'
export type { MemoryKind } from './wallets/storage.js'
export type { VaultState } from './wallets/vault.js'

// A node, whose every word a test has written
export { createScriptedNode } from './scripted-node.js'
export type { ScriptedCall, ScriptedNode, ScriptedNodeOptions } from './scripted-node.js'
export type { Answers, Respond, ScriptedSocket } from './scripted-socket.js'
export type { Following } from './following.js'

// Surroundings
export { createTestPlatform } from './platform.js'
export type { TestPlatform, TestPlatformOptions } from './platform.js'
