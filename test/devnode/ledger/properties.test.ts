import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLedger, type Ledger } from '../../../src/devnode/ledger/ledger.js'
import { isCoinbase } from '../../../src/model/mass.js'
import { isMature } from '../../../src/model/spendable.js'
import type { Transaction } from '../../../src/model/transaction.js'
import { toOutpointKey, type UtxoEntry } from '../../../src/model/utxo.js'
import type { NodeNotification } from '../../../src/node/messages/records.js'
import { FEE, walletOf } from './wallet.js'
import { runs } from '../../full.js'
import { LIMIT } from '../../limits.js'

/** Invariants of random histories, each checked against a simple recomputation. */

const WALLETS = [0x33, 0x44, 0x55].map(walletOf)
const SUBSIDY = 5_000_000_000n
const UTXO = 10_000_000_000n

/** A random action. Numbers select among the options of the current state. */
type Action =
  | { readonly kind: 'mine'; readonly count: number; readonly parallel: number; readonly miner: number }
  | { readonly kind: 'pay'; readonly utxo: number; readonly to: number; readonly split: boolean }
  | { readonly kind: 'fund'; readonly to: number; readonly as: 'transfer' | 'coinbase' }
  | { readonly kind: 'reorg'; readonly depth: number; readonly drop: number | undefined }

const actionArbitrary: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('mine' as const),
      count: fc.integer({ min: 1, max: 3 }),
      parallel: fc.integer({ min: 1, max: 4 }),
      miner: fc.nat(2),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('pay' as const), utxo: fc.nat(99), to: fc.nat(2), split: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('fund' as const),
      to: fc.nat(2),
      as: fc.constantFrom('transfer' as const, 'coinbase' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('reorg' as const),
      depth: fc.integer({ min: 1, max: 6 }),
      drop: fc.option(fc.nat(99), { nil: undefined }),
    }),
  },
)

const genesisUtxos = WALLETS.flatMap(({ address }) => [1, 2].map(() => ({ address, amount: UTXO })))
const newLedger = (): Ledger => createLedger({ genesisUtxos, faucet: 10n ** 15n })

/** Performs an action as far as possible; returns its notifications. */
function perform(ledger: Ledger, action: Action): readonly NodeNotification[] {
  const now = 1_800_000_000_000 + ledger.expected.chain().length * 100
  switch (action.kind) {
    case 'mine':
      return ledger.mine({ ...action, now, address: WALLETS[action.miner]!.address }).events
    case 'fund':
      return ledger.fund([{ address: WALLETS[action.to]!.address, amount: UTXO }], { now, as: action.as }).events
    case 'reorg': {
      const depth = Math.min(action.depth, ledger.expected.chain().length - 1)
      if (depth === 0) return []
      const accepted = ledger.expected.accepted().flatMap((block) => block.acceptedTransactionIds)
      const drop = action.drop === undefined ? [] : accepted.slice(-1 - (action.drop % 8)).slice(0, 1)
      return ledger.reorg({ now, depth, drop }).events
    }
    case 'pay': {
      const payment = choosePayment(ledger, action)
      if (payment !== undefined) ledger.call('submitTransaction', { transaction: payment, allowOrphan: false }, now)
      return []
    }
  }
}

function choosePayment(ledger: Ledger, { utxo, to, split }: Extract<Action, { kind: 'pay' }>): Transaction | undefined {
  const score = ledger.expected.virtualDaaScore()
  const spendable = WALLETS.flatMap((wallet) =>
    ledger.expected
      .utxos([wallet.address])
      .filter((entry) => isMature(entry, score, 1000n) && entry.amount > 20n * FEE)
      .map((entry) => ({ wallet, entry })),
  )
  const chosen = spendable[utxo % Math.max(1, spendable.length)]
  if (chosen === undefined) return undefined
  const amount = chosen.entry.amount - FEE
  const recipient = WALLETS[to]!.address
  const outputs = split && amount > 10n ** 9n ? [amount / 2n, amount - amount / 2n] : [amount]
  return chosen.wallet.pay(
    [chosen.entry],
    outputs.map((value) => ({ to: recipient, amount: value })),
  )
}

const keyed = (entries: readonly UtxoEntry[]): ReadonlyMap<string, bigint> =>
  new Map(entries.map(({ outpoint, blockDaaScore }) => [toOutpointKey(outpoint), blockDaaScore]))

/** The UTXO set recomputed from the accepted transactions of chain blocks, without those accepted by virtual only. */
function recomputed(ledger: Ledger, genesis: readonly UtxoEntry[]): ReadonlyMap<string, bigint> {
  const utxos = new Map(keyed(genesis))
  for (const { acceptingBlockHash, acceptedTransactionIds } of ledger.expected.accepted()) {
    const score = headerOf(ledger, acceptingBlockHash).daaScore
    for (const id of acceptedTransactionIds) {
      const { transaction } = ledger.history.transaction(id)!
      for (const { previousOutpoint } of transaction.inputs) {
        expect(utxos.has(toOutpointKey(previousOutpoint))).toBe(true)
        utxos.delete(toOutpointKey(previousOutpoint))
      }
      for (const index of transaction.outputs.keys()) utxos.set(toOutpointKey({ transactionId: id, index }), score)
    }
  }
  return utxos
}

/** Whether an included but unaccepted transaction spends the UTXO. */
function isSpentByNewest(ledger: Ledger, key: string): boolean {
  const creator = ledger.history.transaction(key.split(':')[0]!)
  const addresses = [
    ...WALLETS.map(({ address }) => address),
    ledger.expected.utxos().find(({ amount }) => amount > 10n ** 14n)?.address,
  ]
  const ids = addresses.flatMap((address) => (address === undefined ? [] : ledger.history.transactionIdsOf(address)))
  const spenders = ids.map((id) => ledger.history.transaction(id)!)
  const isInput = ({ transaction }: (typeof spenders)[number]) =>
    transaction.inputs.some(({ previousOutpoint }) => toOutpointKey(previousOutpoint) === key)
  return (
    (creator !== undefined || key.startsWith('0'.repeat(48))) &&
    spenders.some((spender) => isInput(spender) && spender.acceptingBlockHash === undefined)
  )
}

function headerOf(ledger: Ledger, hash: string) {
  const result = ledger.call('getBlock', { hash, includeTransactions: true }, 0)
  if (!result.ok) throw new Error(result.message)
  return { ...result.value.block.header, ...result.value.block }
}

const RUNS = { numRuns: runs(25) }
const history = fc.array(actionArbitrary, { maxLength: 25 })

describe('a random history', { timeout: runs(LIMIT) }, () => {
  it('has the UTXO set of its accepted transactions, plus those accepted by virtual', () => {
    fc.assert(
      fc.property(history, (actions) => {
        const ledger = newLedger()
        const genesis = ledger.expected.utxos()
        for (const action of actions) perform(ledger, action)
        const expected = recomputed(ledger, genesis)
        const utxos = ledger.expected.utxos()
        const acceptedUtxos = utxos.filter(({ blockDaaScore }) => blockDaaScore < ledger.expected.virtualDaaScore())
        for (const [key, score] of keyed(acceptedUtxos)) expect([key, expected.get(key)]).toEqual([key, score])
        const missing = [...expected.keys()].filter((key) => !keyed(utxos).has(key))
        for (const key of missing) expect(isSpentByNewest(ledger, key)).toBe(true)
      }),
      RUNS,
    )
  })

  it('has UTXO changes that add up to the UTXO set', () => {
    fc.assert(
      fc.property(history, (actions) => {
        const ledger = newLedger()
        const utxos = new Map(keyed(ledger.expected.utxos()))
        for (const action of actions) {
          for (const event of perform(ledger, action)) {
            if (event.type !== 'utxos-changed') continue
            for (const entry of event.data.removed) expect(utxos.delete(toOutpointKey(entry.outpoint))).toBe(true)
            for (const entry of event.data.added) {
              expect(utxos.has(toOutpointKey(entry.outpoint))).toBe(false)
              utxos.set(toOutpointKey(entry.outpoint), entry.blockDaaScore)
            }
          }
          expect(utxos).toEqual(keyed(ledger.expected.utxos()))
        }
      }),
      RUNS,
    )
  })

  it('has chain changes that lead from the old chain to the new, with accepted ids', () => {
    fc.assert(
      fc.property(history, (actions) => {
        const ledger = newLedger()
        const chain = [...ledger.expected.chain()]
        for (const action of actions) {
          for (const event of perform(ledger, action)) {
            if (event.type !== 'virtual-chain-changed') continue
            for (const hash of event.data.removedChainBlockHashes) expect(chain.pop()).toBe(hash)
            chain.push(...event.data.addedChainBlockHashes)
            expect(event.data.acceptedTransactionIds.map((accepted) => accepted.acceptingBlockHash)).toEqual(
              event.data.addedChainBlockHashes,
            )
          }
          expect(chain).toEqual(ledger.expected.chain())
        }
      }),
      RUNS,
    )
  })

  it('creates value by subsidy only: each coinbase pays the rewards of its merged blocks', () => {
    fc.assert(
      fc.property(history, (actions) => {
        const ledger = newLedger()
        for (const action of actions) if (action.kind !== 'fund') perform(ledger, action)
        const accepted = new Map(
          ledger.expected.accepted().map((block) => [block.acceptingBlockHash, block.acceptedTransactionIds]),
        )
        for (const hash of ledger.expected.chain().slice(1)) {
          const { transactions, verboseData } = headerOf(ledger, hash)
          const paid = transactions[0]!.outputs.reduce((sum, { value }) => sum + value, 0n)
          const { mergeSetBluesHashes = [], mergeSetRedsHashes = [] } = verboseData ?? {}
          const merged = [...mergeSetBluesHashes, ...mergeSetRedsHashes].filter(
            (block) => block !== ledger.expected.chain()[0],
          )
          const fees = (accepted.get(hash) ?? []).map((id) => feeOf(ledger, id)).reduce((sum, fee) => sum + fee, 0n)
          expect(paid).toBe(BigInt(merged.length) * SUBSIDY + fees)
        }
      }),
      RUNS,
    )
  })

  it('is undone by a revert to a snapshot', () => {
    fc.assert(
      fc.property(history, history, (before, after) => {
        const ledger = newLedger()
        for (const action of before) perform(ledger, action)
        const saved = stateOf(ledger)
        const snapshot = ledger.snapshot()
        for (const action of after) perform(ledger, action)
        ledger.revert(snapshot)
        expect(stateOf(ledger)).toEqual(saved)
      }),
      RUNS,
    )
  })

  it('is deterministic, hash by hash', () => {
    fc.assert(
      fc.property(history, (actions) => {
        const [one, other] = [newLedger(), newLedger()]
        const eventsOf = (ledger: Ledger) => actions.map((action) => perform(ledger, action))
        expect(eventsOf(one)).toEqual(eventsOf(other))
        expect(stateOf(one)).toEqual(stateOf(other))
      }),
      { numRuns: runs(10) },
    )
  })
})

function feeOf(ledger: Ledger, id: string): bigint {
  const { transaction, spent } = ledger.history.transaction(id)!
  if (isCoinbase(transaction)) return 0n
  const given = spent.reduce((sum, entry) => sum + (entry?.amount ?? 0n), 0n)
  return transaction.outputs.reduce((left, { value }) => left - value, given)
}

const stateOf = ({ expected }: Ledger) => ({
  utxos: keyed(expected.utxos()),
  chain: expected.chain(),
  accepted: expected.accepted(),
  mempool: expected.mempool(),
  score: expected.virtualDaaScore(),
})
