import { describe, expect, it } from 'vitest'
import { createTokens } from '../../../src/contracts/index.js'
import { toTransaction } from '../../../src/model/serialized-transaction.js'
import type { PendingTx } from '../../../src/operations/transactions/records.js'
import { eachFile } from '../../lifetimes.js'
import { owned, Token } from '../../contract-calls/token-rows.js'
import { ALICE, BOB, CAROL } from '../../contract-calls/transaction.js'
import { token20 } from '../../fixtures/contracts/modules/token20.js'
import { amountOf, balanceOf, openTokens } from './harness.js'

const KAS = 100_000_000n

const harness = eachFile(() => openTokens())

const has = (amount: bigint) => (balances: Parameters<typeof amountOf>[0]) => amountOf(balances) === amount

/** Inputs and outputs of the token in the transactions of a plan. */
const shapes = (transactions: readonly PendingTx[]): readonly string[] =>
  transactions.map((one) => {
    const { inputs, outputs } = toTransaction(one.serialize())
    const called = inputs.filter(({ signatureScript }) => signatureScript !== '') // with placeholders
    const bound = outputs.filter(({ covenant }) => covenant !== undefined)
    return `${called.length} to ${bound.length}`
  })

describe('a transfer', () => {
  it('to an address of another network is refused', async () => {
    const { token } = await harness.mint()
    const to = 'kaspa:qpauqsvk7yf9unexwmxsnmg547mhyga37csh0kj53q6xxgl24ydxjsgzthw5j'
    expect(() => harness.tokens.transfer({ token, to, amount: 1n })).toThrow(
      expect.objectContaining({ code: 'invalid-argument', argument: 'to' }),
    )
  })

  it('divides an output, and joins outputs of the owner by a delegate', async () => {
    const { contracts, devnode, tokens, mint, funding, all, transfer } = harness
    const { token } = await mint()
    const divided = await contracts.transaction([tokens.transfer({ token, to: BOB.address, amount: 600n })], funding())
    expect(divided.summary).toMatchObject({
      transactions: 1,
      leaves: 0n,
      contracts: [{ before: KAS, after: 2n * KAS }],
    })
    await divided.send(all)
    expect(await balanceOf(tokens, BOB.address, token, has(600n))).toMatchObject({ balances: [{ pending: 600n }] })
    await devnode.mine(2)
    expect(await balanceOf(tokens, BOB.address, token)).toMatchObject({
      supply: 1_000n,
      isIncomplete: false,
      balances: [{ amount: 600n, pending: 0n, lockedKas: KAS, outputs: 1 }],
    })
    await transfer(tokens.transfer({ token, to: BOB.address, amount: 100n, value: 2n * KAS }))
    const joined = await contracts.transaction(
      [tokens.transfer({ token, to: CAROL.address, amount: 650n, from: BOB.address })],
      funding(),
    )
    expect(shapes(joined.transactions)).toEqual(['2 to 2'])
    expect(joined.summary.leaves).toBe(KAS)
    await joined.send(all)
    await devnode.mine(2)
    expect(amountOf(await balanceOf(tokens, CAROL.address, token))).toBe(650n)
    expect(await balanceOf(tokens, BOB.address, token)).toMatchObject({ balances: [{ amount: 50n, lockedKas: KAS }] })
  })

  it('merges outputs in transactions before it, which are signed together, and bounded by one maxFee', async () => {
    const { contracts, tokens, mint, funding, all, devnode } = harness
    const { token } = await mint(...Array.from({ length: 6 }, () => owned(100n)))
    const describeAll = () => tokens.transfer({ token, to: BOB.address, amount: 600n })
    const settings = funding()
    const plan = await contracts.transaction([describeAll()], settings)
    expect(shapes(plan.transactions)).toEqual(['3 to 1', '2 to 1', '3 to 1'])
    expect(plan.summary).toMatchObject({ transactions: 3, leaves: 5n * KAS })
    const { fees } = plan.summary
    const bounded = (maxFee: bigint) => contracts.transaction([describeAll()], { ...settings, maxFee })
    await expect(bounded(fees - 1n)).rejects.toMatchObject({ code: 'fee-too-high' })
    expect((await bounded(fees)).summary.fees).toBe(fees)
    const signed: number[] = []
    const { transactionIds } = await plan.send(all, { onSigned: (each) => void signed.push(each.length) })
    expect([signed, transactionIds.length]).toEqual([[3], 3])
    await devnode.mine(4)
    expect(await balanceOf(tokens, BOB.address, token)).toMatchObject({
      balances: [{ amount: 600n, pending: 0n, outputs: 1 }],
    })
  })

  it('goes with calls of other tokens, all or nothing', async () => {
    const { tokens, mint, transfer } = harness
    const [first, second] = [await mint(), await mint()]
    await transfer(
      tokens.transfer({ token: first.token, to: BOB.address, amount: 1n }),
      tokens.transfer({ token: second.token, to: BOB.address, amount: 2n }),
    )
    const amounts = [first, second].map(async ({ token }) => amountOf(await balanceOf(tokens, BOB.address, token)))
    expect(await Promise.all(amounts)).toEqual([1n, 2n])
  })

  it('to a covenant is its own, and moves with a call of that covenant', async () => {
    const { tokens, mint, transfer } = harness
    const [{ token }, { token: other }] = [await mint(), await mint()]
    const owner = { covenantId: other }
    await transfer(tokens.transfer({ token, to: owner, amount: 300n }))
    expect(amountOf(await balanceOf(tokens, owner, token, has(300n)))).toBe(300n)
    await transfer(
      tokens.transfer({ token, to: BOB.address, amount: 300n, from: owner }),
      tokens.transfer({ token: other, to: ALICE.address, amount: 1n }),
    )
    expect(amountOf(await balanceOf(tokens, BOB.address, token, has(300n)))).toBe(300n)
  })
})

describe('a merge', () => {
  it('joins all outputs into one, and frees the KAS of the others', async () => {
    const { tokens, mint, transfer } = harness
    const { token } = await mint(...Array.from({ length: 4 }, () => owned(10n)))
    await transfer(tokens.merge({ token }))
    expect(await balanceOf(tokens, ALICE.address, token, ({ balances }) => balances[0]?.amount === 40n)).toMatchObject({
      balances: [{ amount: 40n, lockedKas: KAS }],
    })
  })
})

describe('before anything is signed', () => {
  it('owners are refused that the program does not support, and none that it does', async () => {
    const { contracts, tokens, mint, funding } = harness
    const { token, genesis } = await mint()
    const script = Token.scriptAddress(owned(5n), 'simnet')
    const refused = contracts.transaction([tokens.transfer({ token, to: script, amount: 1n })], funding())
    await expect(refused).rejects.toMatchObject({ code: 'unsupported-owner', scheme: 3, supported: [0, 1, 4] })

    const named = createTokens({ engine: harness.engine })
    named.add({ artifact: token20, genesis, roles: { ownerSchemes: [0, 4] } })
    expect(() => named.transfer({ token, to: script, amount: 1n })).toThrow(
      expect.objectContaining({ code: 'unsupported-owner', scheme: 3, supported: [0, 4] }),
    )
  })

  it('amounts of several kinds are not added', async () => {
    const { contracts, tokens, mint, funding, transfer } = harness
    const other = { ...owned(500n), extension_commitment: '07'.repeat(32) }
    const { token } = await mint(owned(500n), other)
    const give = (extensionCommitment?: string) =>
      tokens.transfer({ token, to: BOB.address, amount: 500n, extensionCommitment })
    await expect(contracts.transaction([give()], funding())).rejects.toMatchObject({
      code: 'not-fungible',
      extensionCommitments: ['00'.repeat(32), '07'.repeat(32)],
    })
    await transfer(give('07'.repeat(32)))
    expect(await balanceOf(tokens, BOB.address, token, has(500n))).toMatchObject({
      balances: [{ extensionCommitment: '07'.repeat(32), amount: 500n }],
    })
  })

  it('too many merges, and amounts that the owner does not have', async () => {
    const { contracts, tokens, mint, funding } = harness
    const { token } = await mint(...Array.from({ length: 6 }, () => owned(100n)))
    const plan = (given: object) =>
      contracts.transaction([tokens.transfer({ token, to: BOB.address, amount: 600n, ...given })], funding())
    await expect(plan({ maxMerges: 1 })).rejects.toMatchObject({ code: 'too-fragmented', merges: 2, maxMerges: 1 })
    await expect(plan({ amount: 601n })).rejects.toMatchObject({
      code: 'insufficient-tokens',
      available: 600n,
      required: 601n,
    })
    await expect(plan({ from: CAROL.address })).rejects.toMatchObject({ code: 'insufficient-tokens', available: 0n })
  })

  it.each([
    ['an unknown token', { token: '11'.repeat(32) }, 'token'],
    ['an amount of zero', { amount: 0n }, 'amount'],
    ['an amount that is no bigint', { amount: 5 }, 'amount'],
    ['no receiver', { to: 'bob' }, 'to'],
    ['a covenant id of another length', { to: { covenantId: '11' } }, 'to'],
    ['an owner that is none', { from: 'bob' }, 'from[0]'],
    ['a misspelt option', { amounts: 5n }, 'amounts'],
  ])('%s', async (_, given, argument) => {
    const { tokens, mint } = harness
    const { token } = await mint()
    const transfer = { token, to: BOB.address, amount: 1n, ...given }
    expect(() => tokens.transfer(transfer as never)).toThrow(expect.objectContaining({ argument }))
  })
})
