/**
 * The entry point `vue-chain/testing`: fakes for tests of apps, without WASM, sockets or extensions. Not for production
 * code.
 */

// Browser wallets
export { createFakeWalletA } from './wallets/wallet-a/fake.js'
export type { FakeWalletA, FakeWalletAOptions } from './wallets/wallet-a/fake.js'
export type { WalletAControls } from './wallets/wallet-a/controls.js'
export type { KaswareEmitter } from './wallets/wallet-a/emitter.js'
export type { KaswareMethod, KaswareProvider } from './wallets/wallet-a/provider.js'
export type { KaswareBehavior } from './wallets/wallet-a/extension.js'
export { createFakeWalletB } from './wallets/wallet-b/fake.js'
export type { FakeWalletB, FakeWalletBOptions } from './wallets/wallet-b/fake.js'
export type { WalletBControls } from './wallets/wallet-b/controls.js'
export type { KastleNotifier } from './wallets/wallet-b/notifier.js'
export type { KastleProvider } from './wallets/wallet-b/provider.js'
export type { KastleBehavior } from './wallets/wallet-b/extension.js'
export type { Arrival } from './wallets/wallet-b/install.js'
export type { KastleProfile } from './wallets/wallet-b/profile.js'
export { createFakeAnnouncedWallet } from './wallets/announced/fake.js'
export type { FakeAnnouncedWallet, FakeAnnouncedWalletOptions } from './wallets/announced/fake.js'
export type { AnnouncedControls } from './wallets/announced/controls.js'
export type { AnnouncedProvider } from './wallets/announced/provider.js'
export type { AnnouncedInfo, AnnouncementStandard } from './wallets/announced/announce.js'
export type { WalletFaults } from './wallets/faults.js'
export type { WalletDevnode } from './wallets/node/wallet-node.js'
export type { CallLog, WalletCall } from './wallets/call-log.js'
export type { Injection } from './wallets/page.js'
export type { PageWindow } from './wallets/page.js'
export { createTestPage } from './wallets/page.js'
export type { TestPage, TestPageState } from './wallets/page.js'
export { createTestWallets } from './wallets/wallets-port.js'
export type { Prompt, PromptResult, PromptKind, PromptPolicy, Prompts } from './wallets/prompts.js'
export type { FakeWallets } from './wallets/script.js'
export type { MemoryKind } from './wallets/storage.js'
export type { AccountState } from './wallets/account-state.js'

// Scripted node
export { createScriptedNode } from './scripted-node.js'
export type { ScriptedCall, ScriptedNode, ScriptedNodeOptions } from './scripted-node.js'
export type { Responders, Respond, ScriptedResponse, ScriptedSocket } from './scripted-socket.js'
export type { SocketSubscriptions } from './socket-subscriptions.js'

// Records that a node could send
export { fixtures } from './fixtures/fixtures.js'
export type { Fixtures } from './fixtures/fixtures.js'
export type { BlockFixture } from './fixtures/block.js'
export type { TransactionFixture } from './fixtures/transaction.js'

// Replay of a recorded run
export { createReplayNode } from './replay/create-replay-node.js'
export type { ReplayNode } from './replay/create-replay-node.js'

// Contracts
export { runCall } from './contracts/run-call.js'
export type { CallOutput, RunCallOptions } from './contracts/run-call.js'
export type { CallFailure, CallRun } from './contracts/call-run.js'
export { contractMatchers } from './contracts/matchers.js'
export type { ContractMatchers, ExpectedCost, ExpectedRefusal, MatcherResult } from './contracts/matchers.js'

// Platform
export { ready } from './ready.js'
export { createTestPlatform } from './platform.js'
export type { TestPlatform, TestPlatformOptions } from './platform.js'
