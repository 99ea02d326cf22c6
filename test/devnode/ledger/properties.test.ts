import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLedger, type Ledger } from '../../../src/devnode/ledger/ledger.js'
import { isCoinbase } from '../../../src/model/mass.js'
import { isMature } from '../../../src/model/maturity.js'
import type { Transaction } from '../../../src/model/transaction.js'
import { toOutpointKey, type UtxoEntry } from '../../../src/model/utxo.js'
import type { NodeNotification } from '../../../src/node/messages/records.js'
import { FEE, walletOf } from './wallet.js'

/** Whatever happens on the network, some things stay true. Each is checked against the plainest way to find it out. */

const WALLETS = [0x33, 0x44, 0x55].map(walletOf)
const SUBSIDY = 5_000_000_000n
const COIN = 10_000_000_000n

/** Something that may happen. Numbers choose among what there is at that moment. */
type Happening =
  | { readonly kind: 'mine'; readonly count: number; readonly parallel: number; readonly miner: number }
  | { readonly kind: 'pay'; readonly coin: number; readonly to: number; readonly split: boolean }
  | { readonly kind: 'fund'; readonly to: number; readonly as: 'transfer' | 'coinbase' }
  | { readonly kind: 'reorg'; readonly depth: number; readonly drop: number | undefined }

const happening: fc.Arbitrary<Happening> = fc.oneof(
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
    arbitrary: fc.record({ kind: fc.constant('pay' as const), coin: fc.nat(99), to: fc.nat(2), split: fc.boolean() }),
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

const genesisCoins = WALLETS.flatMap(({ address }) => [1, 2].map(() => ({ address, amount: COIN })))
const newLedger = (): Ledger => createLedger({ genesisCoins, faucet: 10n ** 15n })

/** Lets it happen, as far as it can; answers with what listeners heard. */
function happen(ledger: Ledger, what: Happening): readonly NodeNotification[] {
  const now = 1_800_000_000_000 + ledger.truth.chain().length * 100
  switch (what.kind) {
    case 'mine':
      return ledger.mine({ ...what, now, address: WALLETS[what.miner]!.address }).events
    case 'fund':
      return ledger.fund([{ address: WALLETS[what.to]!.address, amount: COIN }], { now, as: what.as }).events
    case 'reorg': {
      const depth = Math.min(what.depth, ledger.truth.chain().length - 1)
      if (depth === 0) return []
      const accepted = ledger.truth.accepted().flatMap((block) => block.acceptedTransactionIds)
      const drop = what.drop === undefined ? [] : accepted.slice(-1 - (what.drop % 8)).slice(0, 1)
      return ledger.reorg({ now, depth, drop }).events
    }
    case 'pay': {
      const payment = choosePayment(ledger, what)
      if (payment !== undefined) ledger.answer('submitTransaction', { transaction: payment, allowOrphan: false }, now)
      return []
    }
  }
}

function choosePayment(
  ledger: Ledger,
  { coin, to, split }: Extract<Happening, { kind: 'pay' }>,
): Transaction | undefined {
  const score = ledger.truth.virtualDaaScore()
  const spendable = WALLETS.flatMap((wallet) =>
    ledger.truth
      .utxos([wallet.address])
      .filter((entry) => isMature(entry, score, 1000n) && entry.amount > 20n * FEE)
      .map((entry) => ({ wallet, entry })),
  )
  const chosen = spendable[coin % Math.max(1, spendable.length)]
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

/** The coins that follow from what chain blocks say they accepted, transaction by transaction, without the last that only virtual has. */
function replayed(ledger: Ledger, genesis: readonly UtxoEntry[]): ReadonlyMap<string, bigint> {
  const coins = new Map(keyed(genesis))
  for (const { acceptingBlockHash, acceptedTransactionIds } of ledger.truth.accepted()) {
    const score = headerOf(ledger, acceptingBlockHash).daaScore
    for (const id of acceptedTransactionIds) {
      const { transaction } = ledger.history.transaction(id)!
      for (const { previousOutpoint } of transaction.inputs) {
        expect(coins.has(toOutpointKey(previousOutpoint))).toBe(true)
        coins.delete(toOutpointKey(previousOutpoint))
      }
      for (const index of transaction.outputs.keys()) coins.set(toOutpointKey({ transactionId: id, index }), score)
    }
  }
  return coins
}

/** Whether a transaction spends the coin that is in a block and that no chain block has accepted yet. */
function isSpentByNewest(ledger: Ledger, key: string): boolean {
  const maker = ledger.history.transaction(key.split(':')[0]!)
  const owners = [
    ...WALLETS.map(({ address }) => address),
    ledger.truth.utxos().find(({ amount }) => amount > 10n ** 14n)?.address,
  ]
  const ids = owners.flatMap((address) => (address === undefined ? [] : ledger.history.transactionIdsOf(address)))
  const spenders = ids.map((id) => ledger.history.transaction(id)!)
  const isInput = ({ transaction }: (typeof spenders)[number]) =>
    transaction.inputs.some(({ previousOutpoint }) => toOutpointKey(previousOutpoint) === key)
  return (
    (maker !== undefined || key.startsWith('0'.repeat(48))) &&
    spenders.some((spender) => isInput(spender) && spender.acceptingBlockHash === undefined)
  )
}

function headerOf(ledger: Ledger, hash: string) {
  const answer = ledger.answer('getBlock', { hash, includeTransactions: true }, 0)
  if (!answer.ok) throw new Error(answer.message)
  return { ...answer.value.block.header, ...answer.value.block }
}

const runs = { numRuns: 25 }
const history = fc.array(happening, { maxLength: 25 })

describe('whatever happens', { timeout: 60_000 }, () => {
  it('the coins are those that accepted transactions left, but for what only virtual has accepted yet', () => {
    fc.assert(
      fc.property(history, (happenings) => {
        const ledger = newLedger()
        const genesis = ledger.truth.utxos()
        for (const what of happenings) happen(ledger, what)
        const expected = replayed(ledger, genesis)
        const coins = ledger.truth.utxos()
        const settled = coins.filter(({ blockDaaScore }) => blockDaaScore < ledger.truth.virtualDaaScore())
        for (const [key, score] of keyed(settled)) expect([key, expected.get(key)]).toEqual([key, score])
        const gone = [...expected.keys()].filter((key) => !keyed(coins).has(key))
        for (const key of gone) expect(isSpentByNewest(ledger, key)).toBe(true)
      }),
      runs,
    )
  })

  it('every change that is told, applied to what was there, gives what is there', () => {
    fc.assert(
      fc.property(history, (happenings) => {
        const ledger = newLedger()
        const coins = new Map(keyed(ledger.truth.utxos()))
        for (const what of happenings) {
          for (const event of happen(ledger, what)) {
            if (event.type !== 'utxos-changed') continue
            for (const entry of event.data.removed) expect(coins.delete(toOutpointKey(entry.outpoint))).toBe(true)
            for (const entry of event.data.added) {
              expect(coins.has(toOutpointKey(entry.outpoint))).toBe(false)
              coins.set(toOutpointKey(entry.outpoint), entry.blockDaaScore)
            }
          }
          expect(coins).toEqual(keyed(ledger.truth.utxos()))
        }
      }),
      runs,
    )
  })

  it('every chain change that is told leads from the old chain to the new, and brings the ids that were accepted', () => {
    fc.assert(
      fc.property(history, (happenings) => {
        const ledger = newLedger()
        const chain = [...ledger.truth.chain()]
        for (const what of happenings) {
          for (const event of happen(ledger, what)) {
            if (event.type !== 'virtual-chain-changed') continue
            for (const hash of event.data.removedChainBlockHashes) expect(chain.pop()).toBe(hash)
            chain.push(...event.data.addedChainBlockHashes)
            expect(event.data.acceptedTransactionIds.map((accepted) => accepted.acceptingBlockHash)).toEqual(
              event.data.addedChainBlockHashes,
            )
          }
          expect(chain).toEqual(ledger.truth.chain())
        }
      }),
      runs,
    )
  })

  it('no value comes or goes but by subsidy: each coinbase pays what its merged blocks earned', () => {
    fc.assert(
      fc.property(history, (happenings) => {
        const ledger = newLedger()
        for (const what of happenings) if (what.kind !== 'fund') happen(ledger, what)
        const accepted = new Map(
          ledger.truth.accepted().map((block) => [block.acceptingBlockHash, block.acceptedTransactionIds]),
        )
        for (const hash of ledger.truth.chain().slice(1)) {
          const { transactions, verboseData } = headerOf(ledger, hash)
          const paid = transactions[0]!.outputs.reduce((sum, { value }) => sum + value, 0n)
          const { mergeSetBluesHashes = [], mergeSetRedsHashes = [] } = verboseData ?? {}
          const merged = [...mergeSetBluesHashes, ...mergeSetRedsHashes].filter(
            (block) => block !== ledger.truth.chain()[0],
          )
          const fees = (accepted.get(hash) ?? []).map((id) => feeOf(ledger, id)).reduce((sum, fee) => sum + fee, 0n)
          expect(paid).toBe(BigInt(merged.length) * SUBSIDY + fees)
        }
      }),
      runs,
    )
  })

  it('going back to a snapshot restores all of it', () => {
    fc.assert(
      fc.property(history, history, (before, after) => {
        const ledger = newLedger()
        for (const what of before) happen(ledger, what)
        const remembered = everything(ledger)
        const snapshot = ledger.snapshot()
        for (const what of after) happen(ledger, what)
        ledger.revert(snapshot)
        expect(everything(ledger)).toEqual(remembered)
      }),
      runs,
    )
  })

  it('equal steps give equal ledgers, hash by hash', () => {
    fc.assert(
      fc.property(history, (happenings) => {
        const [one, other] = [newLedger(), newLedger()]
        const heard = (ledger: Ledger) => happenings.map((what) => happen(ledger, what))
        expect(heard(one)).toEqual(heard(other))
        expect(everything(one)).toEqual(everything(other))
      }),
      { numRuns: 10 },
    )
  })
})

function feeOf(ledger: Ledger, id: string): bigint {
  const { transaction, spent } = ledger.history.transaction(id)!
  if (isCoinbase(transaction)) return 0n
  const given = spent.reduce((sum, entry) => sum + (entry?.amount ?? 0n), 0n)
  return transaction.outputs.reduce((left, { value }) => left - value, given)
}

const everything = ({ truth }: Ledger) => ({
  utxos: keyed(truth.utxos()),
  chain: truth.chain(),
  accepted: truth.accepted(),
  mempool: truth.mempool(),
  score: truth.virtualDaaScore(),
})
