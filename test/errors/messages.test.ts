import { NEVER, VirtualTimeScheduler, asyncScheduler, firstValueFrom, throwError } from 'rxjs'
import { createSdk } from '#sdk'
import { describe, expect, it } from 'vitest'
import { useCore } from '../../src/adapters/vue/plugin/core.js'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import { feature } from '../../src/engine/core-parts.js'
import { chain } from '../../src/engine/features/chain.js'
import { ChainError, refuseUnknown } from '../../src/errors/chain-error.js'
import { contractAddress } from '../../src/contracts/instance-rows.js'
import { codeNotLoaded, engineDisposed } from '../../src/errors/not-ready-error.js'
import {
  contractMoved,
  contractRefused,
  genesisMismatch,
  insufficientTokens,
  notFungible,
  tooFragmented,
  unsupportedOwner,
} from '../../src/errors/contract-errors.js'
import { invalidPskb, signaturesMissing, untrustedPskb } from '../../src/errors/cosigning-errors.js'
import { historyGap } from '../../src/errors/history-gap.js'
import { partiallySubmitted } from '../../src/errors/payment-errors.js'
import { ChainRestError } from '../../src/errors/rest-error.js'
import { ChainRpcError } from '../../src/errors/rpc-error.js'
import { SessionDropped } from '../../src/errors/payout-error.js'
import { asWalletError, refuseArgument, unknownOutcome } from '../../src/errors/wallet-error.js'
import { loadPackage, loadCode } from '../../src/loading/load-code.js'
import { toSinkError } from '../../src/sql/session.js'
import { takenOver } from '../../src/feed/sink.js'
import { type Contract, defineContract } from '../../src/model/contracts/contract.js'
import { toTransaction } from '../../src/model/serialized-transaction.js'
import { prepareCalls } from '../../src/operations/contracts/prepare-calls.js'
import { checkIndex, checkPrivateKey, checkSignature } from '../../src/operations/keys/arguments.js'
import { callSdk } from '../../src/operations/keys/crypto-failure.js'
import { checkMnemonic } from '../../src/operations/keys/mnemonic.js'
import { keyOf } from '../../src/operations/keys/verify-address-message.js'
import { requireWithin } from '../../src/operations/transactions/payment-fee.js'
import { managedBy } from '../../src/operations/transactions/check-payment.js'
import { checkId } from '../../src/operations/payouts/payout-batch.js'
import { createCommands, type PayoutCommands } from '../../src/payouts/commands.js'
import { idConflict } from '../../src/payouts/create-payouts.js'
import { memoryJournal } from '../../src/payouts/stores/memory-journal.js'
import { toJournalError } from '../../src/payouts/stores/sql-journal.js'
import { foreignDebit } from '../../src/payouts/work.js'
import { takenOver as takenOverQueue } from '../../src/payouts/working-rows.js'
import { updatePayout } from '../../src/streams/payouts/group-changes.js'
import { QUEUED, type PayoutEvent } from '../../src/streams/payouts/progress.js'
import { fetchFeeRates } from '../../src/operations/transactions/plan/fee.js'
import { createSignedAmounts, withoutStore } from '../../src/operations/transactions/sign/signed-amounts.js'
import { throwIfAborted } from '../../src/operations/transactions/submit/before-submission.js'
import { createTransactions } from '../../src/operations/transactions/transactions.js'
import { createRestClient, type ChainRestClient } from '../../src/rest/client.js'
import type { ChainRestOptions } from '../../src/rest/options.js'
import { aborted as requestAborted, withDeadline } from '../../src/rest/requests/send.js'
import { light } from '../../src/sdk/light/light.js'
import { differs } from '../../src/sdk/wasm/load.js'
import { panicked } from '../../src/sdk/wasm/adapter.js'
import { toKaspaSdk } from '../../src/sdk/wasm/shape.js'
import { scanChain } from '../../src/streams/accounts/scan-chains.js'
import * as connectErrors from '../../src/streams/connection/dial.js'
import { pingTimedOut } from '../../src/streams/connection/heartbeat.js'
import { requireNetwork } from '../../src/streams/session/handshake.js'
import { unsupported } from '../../src/streams/session/call.js'
import * as promptErrors from '../../src/streams/wallet/prompt-errors.js'
import { createWasm } from '../../src/streams/wasm.js'
import { mempoolEntry } from '../../src/testing/fixtures/fixtures.js'
import { createTestPlatform } from '../../src/testing/platform.js'
import { createScriptedNode } from '../../src/testing/scripted-node.js'
import { createTestPage, createTestWallets } from '../../src/testing/wallets/page.js'
import { toDeviceError } from '../../src/sdk/ledger/device-app.js'
import { toWalletError } from '../../src/wallets/to-wallet-error.js'
import { remoteError, MalformedFrame, malformedError } from '../../src/wrpc/wire-errors.js'
import { openSocket$ } from '../../src/wrpc/web-socket.js'
import { counter } from '../fixtures/contracts/modules/counter.js'
import extendedKeys from '../fixtures/accounts/extended-public-keys.json' with { type: 'json' }
import { KAS, alice, bob, scriptAddress, utxos } from '../operations/transactions/accounts.js'
import { create, noSdk, pay } from '../operations/transactions/planned.js'
import { bucket, createScriptedDependencies } from '../operations/transactions/scripted-dependencies.js'
import { json, scriptFetch, type Reply } from '../rest/scripted-fetch.js'
import { createHarness, settle, take } from '../streams/chain/harness.js'
import { unionsOf } from './unions.js'

/** Creates an error, or fails with it. */
type Fail = () => unknown

/** The messages of each class by code. */
type Messages = Readonly<Record<string, readonly [Fail, message: string]>>

const NODE = 'ws://127.0.0.1:17110'
const INDEXER = 'https://indexer.test'
const BALANCE = `${INDEXER}/addresses/${encodeURIComponent(alice.address)}/balance`
const TARGET = { method: 'GET', url: BALANCE, baseUrl: INDEXER } as const
const HASH = 'ab'.repeat(32)

const failedImport = (): TypeError => new TypeError('Failed to fetch dynamically imported module: https://app/send.js')

const openEngine = (): ChainEngine =>
  createChainEngine({
    network: 'simnet',
    ports: {
      node: createScriptedNode(),
      platform: createTestPlatform({ scheduler: asyncScheduler }),
      wallets: createTestWallets(createTestPage()),
    },
  })

async function withEngine(run: (engine: ChainEngine) => unknown): Promise<unknown> {
  const engine = openEngine()
  try {
    return await run(engine)
  } finally {
    await engine.dispose()
  }
}

const withRest = (run: (rest: ChainRestClient) => unknown, options: ChainRestOptions, ...replies: readonly Reply[]) =>
  run(createRestClient({ baseUrl: INDEXER, retries: 0, fetcher: scriptFetch(...replies).fetcher, ...options }))

const readBalance = (rest: ChainRestClient): unknown => rest.getAddressBalance(alice.address)

/** The node loses blocks that the iteration has followed. */
async function followNodeBehind(): Promise<unknown> {
  const harness = createHarness()
  const core = harness.open()
  harness.nodes[0]?.grow(10)
  const batches = feature(core, chain).followChain({ from: 'pruning-point', nodeBehindTimeout: 20_000 })
  await take(batches, harness.clock)
  harness.nodes[0]?.rewind(3, 'known')
  try {
    return await settle(batches.next(), harness.clock)
  } finally {
    await core.dispose()
  }
}

/** A transaction whose input has another amount the second time. */
async function recordTwice(): Promise<void> {
  const { transactions } = await create(pay(KAS, utxos([3n * KAS])))
  const amounts = createSignedAmounts(undefined)
  for (const spent of [utxos([3n * KAS]), utxos([4n * KAS])]) {
    for (const pending of transactions)
      amounts.record({ ...pending, transaction: toTransaction(pending.serialize()), spent })
  }
}

function throwIt(error: unknown): never {
  throw error
}

const PAYOUT_SCOPE = { network: 'simnet', name: 'hot' } as const

/** Carries a command out on a payout of a journal, after its events. */
async function withPayout(
  run: (commands: PayoutCommands) => Promise<void>,
  ...events: readonly PayoutEvent[]
): Promise<void> {
  const journal = memoryJournal().access(PAYOUT_SCOPE)
  const record = await journal.add({ id: 'w1', address: alice.address, amount: KAS, notBefore: null })
  const update = updatePayout(record, events)
  if (update !== undefined) await journal.write({ payouts: [update] })
  await run(createCommands(journal, { network: 'simnet', chainDepth: 0 }))
}

const PAYOUT = {
  ...{ id: 'w1', address: 'kaspa:q', amount: KAS, notBefore: null, sequence: 1n, requestedAt: 0, version: 0 },
  ...{ group: null, progress: QUEUED },
}

const ERRORS: Readonly<Record<string, Messages>> = {
  PayoutError: {
    'foreign-debit': [
      () => throwIt(foreignDebit(HASH, [])),
      `The transaction ${HASH} spends from the addresses and is no payment of this journal`,
    ],
    'id-conflict': [
      () => throwIt(idConflict(PAYOUT, { ...PAYOUT, amount: 1n })),
      'The id "w1" was requested with other fields',
    ],
    'invalid-argument': [() => checkId(''), '"id" must be a text of 1 to 255 characters'],
    'journal-unavailable': [
      () => throwIt(toJournalError(new SessionDropped(new Error('ECONNREFUSED')))),
      'The journal cannot be reached',
    ],
    'not-cancellable': [
      () =>
        withPayout(
          (commands) => commands.cancel('w1'),
          { type: 'stored', transactionId: HASH },
          { type: 'accepted', transactionId: HASH, blueScore: 1n },
        ),
      'The payout "w1" is accepted',
    ],
    'not-found': [() => withPayout((commands) => commands.cancel('w2')), 'There is no payout "w2"'],
    'not-releasable': [() => withPayout((commands) => commands.release('w1', 1_000)), 'The payout "w1" is queued'],
    'not-replaceable': [() => withPayout((commands) => commands.bump('w1', 500)), 'The payout "w1" is queued'],
    'schema-newer': [
      () => throwIt(toJournalError(new ChainError('The schema "payouts" has version 9', { code: 'unsupported' }))),
      'The schema "payouts" has version 9',
    ],
    'taken-over': [() => throwIt(takenOverQueue().cause), 'Another instance works with this journal'],
  },
  ChainError: {
    'account-not-scanned': [
      () =>
        withEngine(async ({ accounts }) => (await accounts.fromExtendedPublicKey(extendedKeys[0]?.kpub ?? '')).next()),
      'The next unused address is not known yet: the account was not scanned',
    ],
    'code-not-loaded': [
      () => loadCode(() => Promise.reject(failedImport())),
      'A part of vue-chain could not be loaded: Failed to fetch dynamically imported module: https://app/send.js',
    ],
    'fee-too-high': [
      () => requireWithin({ maxFee: KAS, nodeFeeRate: undefined }, 2n * KAS, 1n),
      'The fees are 2 KAS, above the bound of 1 KAS',
    ],
    'history-gap': [
      () =>
        historyGap(
          {
            from: { hash: HASH, blueScore: 5n },
            to: { hash: HASH, blueScore: 900n },
            reason: 'unknown-history',
            resumeCursor: '',
          },
          undefined,
        ),
      'The chain between blue score 5 and blue score 900 cannot be read: the node knows none of the followed blocks',
    ],
    'insufficient-funds': [
      () => create(pay(5n * KAS, utxos([3n * KAS]))),
      '5.001624 KAS are needed, fee included, and 3 KAS can be spent',
    ],
    'invalid-argument': [() => refuseUnknown({ limt: 1 }, ['limit']), 'There is no option "limt"'],
    'invalid-artifact': [
      () => defineContract({ schema_version: 2, structs: {}, contracts: {} }),
      'The artifact is not valid: schema_version is not 1',
    ],
    'contract-refused': [
      () => contractRefused({ input: 0, entry: 'increment', reason: 'script ran, but verification failed' }),
      'The contract refuses the call "increment"',
    ],
    'invalid-pskb': [
      () => invalidPskb('number', '$[0].inputs[1].sequence'),
      'The PSKB text cannot be read at $[0].inputs[1].sequence: a number has a sign, a fraction, an exponent, or is out of range',
    ],
    'untrusted-pskb': [
      () => untrustedPskb('sighash', 0, 2),
      'The bundle is not to be signed (transaction 0, input 2): a signature would not cover all inputs and outputs',
    ],
    'signatures-missing': [
      () => signaturesMissing({ have: 1, need: 2, inputs: [{ transaction: 0, input: 0 }] }),
      'There are 1 of 2 signatures',
    ],
    'contract-moved': [
      () => contractMoved({ covenantId: HASH, spentBy: HASH }),
      `The transaction ${HASH} was first: it spends the state that this call spends`,
    ],
    'contract-address': [() => contractAddress('changeAddress'), '"changeAddress" is the address of a contract'],
    'state-unknown': [
      () => {
        const { call } = createScriptedDependencies(noSdk, { getUtxosByAddresses: () => ({ entries: [] }) })
        const target = {
          contract: defineContract(counter) as unknown as Contract,
          covenantId: HASH,
          locate: () => Promise.resolve(),
          unspent: () => [],
          spenderOf: () => undefined,
          relayed: () => undefined,
          successorOf: () => Promise.resolve(undefined),
          continued: () => undefined,
        }
        const described = { covenantId: HASH, entry: 'increment', args: {}, options: {}, target }
        return prepareCalls([described], { network: 'simnet', call, maxUnconfirmedCalls: 0, replaces: undefined })
      },
      `No unspent output of the covenant ${HASH} is known`,
    ],
    'genesis-mismatch': [
      () => genesisMismatch({ computed: HASH, given: 'cd'.repeat(32) }),
      `The genesis record proves the covenant ${HASH}, not ${'cd'.repeat(32)}`,
    ],
    'unsupported-owner': [
      () => unsupportedOwner({ scheme: 3, supported: [0, 4] }),
      'The token supports no owners of the scheme 03',
    ],
    'not-fungible': [
      () => notFungible({ extensionCommitments: [HASH, 'cd'.repeat(32)] }),
      'The owner has tokens of 2 kinds',
    ],
    'too-fragmented': [
      () => tooFragmented({ merges: 12, maxMerges: 10 }),
      '12 transactions have to merge the outputs of the token first',
    ],
    'insufficient-tokens': [
      () => insufficientTokens({ available: 5n, required: 6n }),
      'The owner has 5 of the token, and 6 are needed',
    ],
    malformed: [
      () => {
        const { call } = createScriptedDependencies(noSdk, {
          getFeeEstimate: () => ({
            estimate: { priorityBucket: bucket(Infinity), normalBuckets: [], lowBuckets: [] },
          }),
        })
        return fetchFeeRates(call)
      },
      'No fee can be computed: the node requires Infinity sompi per gram',
    ],
    'invalid-option': [
      () => createChainEngine({ network: 'testnet' as 'mainnet' }),
      'Option "network" must be one of mainnet, testnet-10, testnet-12, simnet, devnet, not "testnet"',
    ],
    'limit-exceeded': [
      () =>
        scanChain({
          gapLimit: 20,
          maxAddresses: 10,
          address: () => alice.address,
          findUsed: () => Promise.resolve(new Set()),
        }),
      'The scan needs more than 10 addresses of a chain',
    ],
    'managed-by-journal': [() => throwIt(managedBy('kaspa:q', 'hot')), 'The payment queue "hot" pays from kaspa:q'],
    'mass-exceeded': [
      () => create(pay(1_000n, utxos([3n * KAS]))),
      'An output of 0.00001 KAS is too small: the smallest is 0.02000097 KAS',
    ],
    'package-missing': [
      () =>
        loadPackage('pg', () =>
          Promise.reject(Object.assign(new Error("Cannot find package 'pg'"), { code: 'ERR_MODULE_NOT_FOUND' })),
        ),
      'The package pg is not installed',
    ],
    'partially-submitted': [
      () =>
        partiallySubmitted(remoteError('submitTransaction', { kind: 'text', message: 'the mempool is full' }), {
          submitted: [HASH],
          unsubmitted: [HASH],
          resume: () => Promise.resolve([]),
        }),
      'The payment stopped after 1 of 2 transactions: RPC method "submitTransaction" failed: the mempool is full',
    ],
    'plugin-missing': [() => useCore('useChain'), 'useChain() was called outside the context of a Vue app'],
    'sdk-unsupported': [
      () => toKaspaSdk({ ...createSdk(), signMessage: undefined }),
      'The given SDK lacks signMessage',
    ],
    'taken-over': [takenOver, 'The batch was not stored: another instance has delivered in the meantime'],
    'unexpected-response': [
      () => {
        const dependencies = createScriptedDependencies(noSdk, {
          getMempoolEntry: () => ({ mempoolEntry: mempoolEntry() }),
        })
        return createTransactions(dependencies).estimate({ ...pay(KAS, utxos([3n * KAS])), replaces: HASH })
      },
      `The node returned another transaction than ${HASH}`,
    ],
    'wasm-differs': [
      () => differs(new Error('https://app/kaspa_bg.wasm is not our WASM file')),
      'The Kaspa WASM module could not be loaded: https://app/kaspa_bg.wasm is not our WASM file',
    ],
    'wasm-load-failed': [
      () => createWasm(() => throwError(() => new TypeError('Failed to fetch'))).init(),
      'The Kaspa WASM module could not be loaded: Failed to fetch',
    ],
    'wasm-panicked': [
      () => panicked(new WebAssembly.RuntimeError('unreachable')),
      'The Kaspa WASM module has panicked: unreachable',
    ],
    aborted: [() => throwIfAborted(AbortSignal.abort()), 'The payment was aborted before it was sent'],
    disposed: [engineDisposed, 'The engine has been disposed of'],
    failed: [
      () => toSinkError(Object.assign(new Error('permission denied for schema shop'), { code: '42501' })),
      'The database rejected a statement: permission denied for schema shop (SQLSTATE 42501)',
    ],
    unsupported: [
      withoutStore,
      'Without a commitment to the amounts this engine cannot sign: nothing keeps what was signed',
    ],
  },

  ChainNotReadyError: {
    'not-connected': [
      () => withEngine(({ rpc }) => rpc.getSink()),
      '"getSink" was called before there was a connection to a node',
    ],
    'wasm-not-ready': [
      () => createWasm(() => NEVER).sdk('signMessage'),
      '"signMessage" was called before the Kaspa WASM module was ready',
    ],
  },

  // a method's message is fixed by the interface: why is in `details`
  ChainRpcError: {
    'code-not-loaded': [
      () => connectErrors.toConnectError(codeNotLoaded(failedImport())),
      'Could not connect: A part of vue-chain could not be loaded: Failed to fetch dynamically imported module: https://app/send.js',
    ],
    'connect-failed': [connectErrors.noEndpoint, 'Could not connect: there is neither a url nor a resolver'],
    'connection-lost': [
      () => pingTimedOut(NODE, 3_000),
      `The connection to ${NODE} was lost: no response to a ping within 3000 ms`,
    ],
    'invalid-argument': [
      () => firstValueFrom(openSocket$(createTestPlatform({ scheduler: asyncScheduler }), 'http://node')),
      'Could not connect to http://node: this is no WebSocket URL',
    ],
    'node-behind': [followNodeBehind, 'Could not follow the chain: for 20000 ms no node could continue it'],
    'not-connected': [
      () =>
        withEngine(async ({ connection, rpc }) => {
          await connection.connect()
          await connection.disconnect()
          return rpc.getSink()
        }),
      'RPC method "getSink" failed',
    ],
    'wrong-network': [
      () =>
        requireNetwork(NODE, { networkId: 'testnet-10' }, { network: 'mainnet' } as Parameters<
          typeof requireNetwork
        >[2]),
      `Could not connect to ${NODE}: the node serves testnet-10, not mainnet`,
    ],
    aborted: [connectErrors.aborted, 'Could not connect: disconnect() aborted the attempt'],
    disposed: [connectErrors.disposed, 'Could not connect: The engine has been disposed of'],
    failed: [() => new ChainRpcError('getSink', new Error('unknown')), 'RPC method "getSink" failed'],
    malformed: [() => malformedError('getSink', new MalformedFrame('Too long')), 'RPC method "getSink" failed'],
    remote: [
      () => remoteError('getBlock', { kind: 'text', message: 'cannot find header' }),
      'RPC method "getBlock" failed',
    ],
    superseded: [connectErrors.superseded, 'Could not connect: a newer connect() or reconnect() replaced it'],
    timeout: [
      () => connectErrors.connectTimedOut(NODE, 10_000),
      `Could not connect to ${NODE}: not ready within 10000 ms`,
    ],
    unsupported: [() => unsupported('getBlockRewardInfo', '1.1.0'), 'RPC method "getBlockRewardInfo" failed'],
  },

  // fixed by the interface: why is in `details`
  ChainWalletError: {
    'invalid-argument': [
      () => refuseArgument('signMessage', 'message', new TypeError('The message is no text')),
      'Wallet operation "signMessage" failed',
    ],
    'not-connected': [() => promptErrors.notConnected('sendKaspa'), 'Wallet operation "sendKaspa" failed'],
    'not-installed': [() => promptErrors.notInstalled('walletA'), 'Wallet operation "connect" failed'],
    'not-sent': [
      () => toWalletError('sendKaspa', new Error('Extension context invalidated.')),
      'Wallet operation "sendKaspa" failed',
    ],
    'rejected-by-node': [
      () => toWalletError('sendKaspa', new Error(`Rejected transaction ${HASH}: transaction is an orphan`)),
      'Wallet operation "sendKaspa" failed',
    ],
    'unexpected-response': [() => promptErrors.invalidAccount('kaspa:q'), 'Wallet operation "connect" failed'],
    'unknown-outcome': [
      () => unknownOutcome('sendKaspa', new Error('Internal JSON-RPC error.')),
      'Wallet operation "sendKaspa" failed',
    ],
    'wrong-network': [() => promptErrors.notSwitched('mainnet'), 'Wallet operation "switchNetwork" failed'],
    aborted: [() => promptErrors.accountChanged('signMessage'), 'Wallet operation "signMessage" failed'],
    busy: [() => promptErrors.busy('signMessage', 'connect'), 'Wallet operation "signMessage" failed'],
    'device-disconnected': [
      () => toDeviceError('signTransaction', { name: 'DisconnectedDevice' }),
      'Wallet operation "signTransaction" failed',
    ],
    disposed: [
      async () => {
        const engine = openEngine()
        await engine.dispose()
        return engine.wallet.connect('walletA')
      },
      'Wallet operation "connect" failed',
    ],
    failed: [() => asWalletError('connect', new Error('Internal error')), 'Wallet operation "connect" failed'],
    locked: [() => promptErrors.locked('signMessage'), 'Wallet operation "signMessage" failed'],
    rejected: [() => toWalletError('connect', { code: 4001 }), 'Wallet operation "connect" failed'],
    timeout: [() => toWalletError('connect', new Error('Timeout')), 'Wallet operation "connect" failed'],
    unsupported: [promptErrors.cannotSendMany, 'Wallet operation "sendMany" failed'],
  },

  // fixed by the interface: why is in `details`
  ChainCryptoError: {
    'amount-conflict': [recordTwice, 'Crypto operation "sign" failed'],
    'invalid-argument': [
      () => checkIndex('deriveAddresses', 'account', -1),
      'Crypto operation "deriveAddresses" failed',
    ],
    'invalid-key': [() => checkPrivateKey('signMessage', 'ab'), 'Crypto operation "signMessage" failed'],
    'invalid-mnemonic': [
      async () => checkMnemonic(await light.loadPort(), 'deriveAddresses', 'abandon'),
      'Crypto operation "deriveAddresses" failed',
    ],
    'invalid-signature': [() => checkSignature('verifyMessage', 'ab'), 'Crypto operation "verifyMessage" failed'],
    'key-mismatch': [
      async () => (await create(pay(KAS, utxos([3n * KAS])))).transactions[0]?.submit(),
      'Crypto operation "submit" failed',
    ],
    'unsupported-address': [() => keyOf(scriptAddress), 'Crypto operation "verifyMessage" failed'],
    failed: [
      () =>
        callSdk('signMessage', () => {
          throw new Error('The SDK failed')
        }),
      'Crypto operation "signMessage" failed',
    ],
  },

  ChainRestError: {
    'invalid-argument': [
      () => withRest((rest) => rest.getAddressBalance('kaspa:q'), {}),
      `REST request GET ${INDEXER}/addresses/{address}/balance was not sent: The address is too short`,
    ],
    malformed: [
      () => withRest(readBalance, {}, json('<html>')),
      `REST request GET ${BALANCE} got a malformed response: the response is not JSON`,
    ],
    'too-large': [
      () => withRest(readBalance, { maxResponseSize: 1 }, json({ balance: 1 })),
      `REST request GET ${BALANCE} got a response that is too large: the body exceeds 1 bytes`,
    ],
    'too-many': [
      () =>
        withRest(
          (rest) => rest.getUtxosByAddress(bob.address),
          {},
          ({ url }) =>
            url.endsWith('count')
              ? json({ count: 10_001 })
              : json([], { headers: { 'cache-control': 'public, max-age=60' } }),
        ),
      `REST request GET ${INDEXER}/addresses/${bob.address}/utxos has more entries than the server lists: 10001 unspent outputs`,
    ],
    'unexpected-response': [
      () => withRest(readBalance, {}, json({ address: bob.address, balance: 1 })),
      `REST request GET ${BALANCE} got an unexpected response: the response is about another address`,
    ],
    aborted: [
      () => requestAborted(TARGET, undefined),
      `REST request GET ${BALANCE} was aborted: its signal was aborted`,
    ],
    disposed: [
      () =>
        withRest((rest) => {
          rest.dispose()
          return readBalance(rest)
        }, {}),
      `REST request GET ${INDEXER} was not sent: the client was disposed`,
    ],
    failed: [
      () => new ChainRestError({ ...TARGET, reason: 'for an unknown reason' }),
      `REST request GET ${BALANCE} failed: for an unknown reason`,
    ],
    http: [
      () => withRest(readBalance, {}, json({ detail: 'Internal Server Error' }, { status: 500 })),
      `REST request GET ${BALANCE} failed with status 500: Internal Server Error`,
    ],
    network: [
      () =>
        withRest(readBalance, {}, () =>
          Promise.reject(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED 127.0.0.1:1') })),
        ),
      `REST request GET ${BALANCE} got no response: fetch failed: connect ECONNREFUSED 127.0.0.1:1`,
    ],
    timeout: [
      () => {
        const scheduler = new VirtualTimeScheduler()
        const response = firstValueFrom(NEVER.pipe(withDeadline(TARGET, { timeout: 30_000 }, scheduler)))
        scheduler.flush()
        return response
      },
      `REST request GET ${BALANCE} timed out: 30000 ms have passed`,
    ],
  },
}

const ROWS = Object.entries(ERRORS).flatMap(([name, messages]) =>
  Object.entries(messages).map(([code, [fail, message]]) => ({ name, code, fail, message })),
)

describe('the message of an error', () => {
  it.each(ROWS)('$name: $code', async ({ name, code, fail, message }) => {
    const error: unknown = await Promise.resolve()
      .then(fail)
      .catch((reason: unknown) => reason)
    expect(error).toMatchObject({ name, code, message })
  })

  it('is in this table for every code of every class', () => {
    const codes = Object.entries(ERRORS).map(
      ([name, messages]) => [`${name}Code`, Object.keys(messages).sort()] as const,
    )
    const unions = [...unionsOf(/ErrorCode$/)].map(([type, literals]) => [type, [...literals].sort()] as const)
    expect(Object.fromEntries(codes)).toEqual(Object.fromEntries(unions))
  })
})
