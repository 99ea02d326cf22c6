/**
 * The entry point `vue-chain/testing`: fakes for tests of apps, without WASM, sockets or extensions. Not for production
 * code.
 */

// Browser wallets
export { createFakeWalletA } from './wallets/wallet-a/fake.js'
export type { FakeWalletA, FakeWalletAOptions } from './wallets/wallet-a/fake.js'
export type { WalletAControls } from './wallets/wallet-a/background.js'
export type { KaswareEmitter, KaswareBehavior } from './wallets/wallet-a/extension.js'
export type { KaswareMethod, KaswareProvider } from './wallets/wallet-a/provider.js'
export { createFakeWalletB } from './wallets/wallet-b/fake.js'
export type { FakeWalletB, FakeWalletBOptions, WalletBControls } from './wallets/wallet-b/fake.js'
export type { KastleNotifier, KastleBehavior, KastleProfile } from './wallets/wallet-b/extension.js'
export type { KastleProvider } from './wallets/wallet-b/provider.js'
export type { Arrival } from './wallets/wallet-b/install.js'
export { createFakeAnnouncedWallet } from './wallets/announced/fake.js'
export type { FakeAnnouncedWallet, FakeAnnouncedWalletOptions } from './wallets/announced/fake.js'
export type { AnnouncedControls } from './wallets/announced/extension.js'
export type { AnnouncedProvider } from './wallets/announced/provider.js'
export { createTestPage, createTestWallets } from './wallets/page.js'
export type {
  AnnouncedInfo,
  AnnouncementStandard,
  Injection,
  PageWindow,
  TestPage,
  TestPageState,
} from './wallets/page.js'
export type { WalletFaults, CallLog, WalletCall } from './wallets/extension-calls.js'
export type { WalletDevnode } from './wallets/node/wallet-node.js'
export type { Prompt, PromptResult, PromptKind, PromptPolicy, Prompts } from './wallets/prompts.js'
export type { FakeWallets } from './wallets/script.js'
export type { MemoryKind, AccountState } from './wallets/account-state.js'

// Scripted node
export { createScriptedNode } from './scripted-node.js'
export type { ScriptedCall, ScriptedNode, ScriptedNodeOptions } from './scripted-node.js'
export type { Responders, Respond, ScriptedResponse, ScriptedSocket } from './scripted-socket.js'
export type { SocketSubscriptions } from './socket-state.js'

// Records that a node could send
export { fixtures } from './fixtures/fixtures.js'
export type { Fixtures, BlockFixture } from './fixtures/fixtures.js'
export type { TransactionFixture } from './fixtures/transaction.js'

// Replay of a recorded run
export { createReplayNode } from './replay/create-replay-node.js'
export type { ReplayNode } from './replay/create-replay-node.js'

// Contracts
export { runCall, contractMatchers } from './contracts/matchers.js'
export type {
  CallOutput,
  RunCallOptions,
  ContractMatchers,
  ExpectedCost,
  ExpectedRefusal,
  MatcherResult,
} from './contracts/matchers.js'
export type { CallFailure, CallRun } from './contracts/execute-call.js'

// Platform
export { ready, createTestPlatform } from './platform.js'
export type { TestPlatform, TestPlatformOptions } from './platform.js'
