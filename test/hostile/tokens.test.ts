import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { filter, firstValueFrom } from 'rxjs'
import { createContracts, createTokens, defineContract, type TokenBalances } from '../../src/contracts/index.js'
import { createChainEngine } from '../../src/engine/engine.js'
import { toScriptPublicKey } from '../../src/model/address.js'
import { dispatchTag } from '../../src/model/contracts/resolved-type.js'
import { covenantIdOfGenesis } from '../../src/model/covenant-id.js'
import { templateHash } from '../../src/model/contracts/state-script.js'
import { fromHex } from '../../src/model/hex.js'
import { light } from '../../src/sdk/light/light.js'
import { createNodePort } from '../../src/wrpc/client.js'
import { bound, output } from '../contract-calls/covenants.js'
import { Counter } from '../contract-calls/counter-rows.js'
import { begin, type CallHarness } from '../contract-calls/harness.js'
import { owned, Token } from '../contract-calls/token-rows.js'
import { ALICE, BOB, build, CAROL, keyInput } from '../contract-calls/transaction.js'
import { amountOf, balanceOf, openTokens, type TokensHarness } from '../contracts/tokens/harness.js'
import { counter } from '../fixtures/contracts/modules/counter.js'
import { token20 } from '../fixtures/contracts/modules/token20.js'
import type { ChainPage, TransactionRecord } from './hostile-chain.js'
import { lying } from './lying-port.js'

/** Issuers, strangers, artifacts and nodes that want an owner to see tokens that are none. */

const KAS = 100_000_000n

let harness: TokensHarness
let calls: CallHarness

beforeAll(async () => {
  harness = await openTokens()
  const { devnode, engine, funding } = harness
  calls = {
    submit: async (transaction) => {
      await engine.rpc.submitTransaction(transaction)
      return 'taken'
    },
    mine: async (count) => void (await devnode.mine(count)),
    utxo: () => Promise.resolve(funding().entries[0]!),
  }
})
afterAll(() => harness.close())

const has = (amount: bigint) => (balances: Parameters<typeof amountOf>[0]) => amountOf(balances) === amount

describe('a token that is', () => {
  it('a counterfeit of the same program, address and state is another one, also in the balance', async () => {
    const { tokens, mint, devnode, contracts, funding, all } = harness
    const { token } = await mint(owned(1_000n, BOB))
    const counterfeit = await contracts.deploy(Token, owned(1_000n, BOB), funding())
    await counterfeit.send(all)
    await devnode.mine(2)
    expect(counterfeit.covenantId).not.toBe(token)
    const { balances } = await balanceOf(tokens, BOB.address, token)
    expect(balances).toMatchObject([{ covenantId: token, amount: 1_000n, outputs: 1 }])
    expect(() => tokens.add({ artifact: token20, genesis: counterfeit.genesis, covenantId: token })).toThrow(
      expect.objectContaining({ code: 'genesis-mismatch', computed: counterfeit.covenantId, given: token }),
    )
  })

  it('minted by a key that its genesis hides is refused by its record, and never shown by an honest one', async () => {
    const { tokens } = harness
    const key = output(toScriptPublicKey(CAROL.address))
    const state = owned(1_000n)
    const { covenantId, outpoint, utxos } = await begin(calls, [output(Token.scriptPublicKey(state)), key])
    const genesis = { outpoint, outputs: [{ index: 0, value: KAS, state }] }
    const computed = covenantIdOfGenesis(Token, genesis)
    expect(() => tokens.add({ artifact: token20, genesis, covenantId })).toThrow(
      expect.objectContaining({ code: 'genesis-mismatch', computed, given: covenantId }),
    )
    const mint = build({
      inputs: [keyInput(utxos[1]!, CAROL)],
      outputs: [bound(covenantId, Token.scriptPublicKey(owned(1_000_000n, CAROL)))],
      fundedBy: await calls.utxo(),
    })
    await calls.submit(mint)
    await calls.mine(2)
    // without the expected id it is a token that was never minted
    const other = createTokens({ engine: harness.engine })
    const added = other.add({ artifact: token20, genesis })
    expect(added.covenantId).toBe(computed)
    expect(await balanceOf(other, CAROL.address, computed)).toMatchObject({ balances: [], isIncomplete: true })
  })

  it('sent unasked is counted, not shown, until it is added; a spammer cannot be paid by it', async () => {
    const { tokens, mint, contracts, funding, all, devnode } = harness
    const counts: number[] = []
    const subscription = tokens.unknown$(CAROL.address).subscribe((count) => counts.push(count))
    const spammer = createTokens({ engine: harness.engine })
    const plan = await contracts.deploy(Token, owned(9n), funding())
    await plan.send(all)
    await devnode.mine(2)
    const { covenantId: token } = spammer.add({ artifact: token20, genesis: plan.genesis })
    const spam = spammer.transfer({ token, to: CAROL.address, amount: 9n })
    await (await contracts.transaction([spam], funding())).send(all)
    await devnode.mine(2)
    await expect.poll(() => counts.at(-1)).toBe(1)
    const { token: known } = await mint()
    const shown = await firstValueFrom(tokens.balances$(CAROL.address).pipe(filter((one) => one.length > 0)))
    expect(shown.map(({ covenantId }) => covenantId)).not.toContain(token)
    expect(shown.some(({ covenantId }) => covenantId === known)).toBe(true)
    tokens.add({ artifact: token20, genesis: plan.genesis })
    await expect.poll(() => counts.at(-1)).toBe(0)
    subscription.unsubscribe()
  })

  it('stated by a snapshot that others invented is not shown, wherever it is said to be followed from', async () => {
    const { mint, engine } = harness
    const { token, genesis, from } = await mint()
    const outpoint = { transactionId: 'ab'.repeat(32), index: 0 }
    const snapshot = [{ outpoint, value: KAS, state: owned(1_000_000n, CAROL) }]
    const believing = createTokens({ engine })
    expect(() => believing.add({ artifact: token20, genesis, from, snapshot })).toThrow(
      expect.objectContaining({ code: 'invalid-argument', argument: 'snapshot' }),
    )
    believing.add({ artifact: token20, genesis, snapshot })
    expect(await balanceOf(believing, CAROL.address, token)).toMatchObject({ balances: [], isIncomplete: true })
  })

  it('of a record with an amount below zero is refused, and of one without has the supply that it sums up', async () => {
    const outpoint = { transactionId: '22'.repeat(32), index: 0 }
    const { tokens } = harness
    const add = (...amounts: bigint[]) =>
      tokens.add({
        artifact: token20,
        genesis: { outpoint, outputs: amounts.map((amount, index) => ({ index, value: KAS, state: owned(amount) })) },
      })
    expect(() => add(1_000_000n, -999_000n)).toThrow(
      expect.objectContaining({ argument: 'genesis.outputs[1].state.amount' }),
    )
    const another = createTokens({ engine: harness.engine })
    const genesis = { outpoint, outputs: [{ index: 0, value: KAS, state: owned(5n) }] }
    expect(another.add({ artifact: token20, genesis }).supply).toBe(5n)
  })
})

describe('an artifact that', () => {
  it('has the name, the symbol and the program of another token is another one: neither is read, nor added up', async () => {
    const { contracts, mint, devnode, funding, all, engine } = harness
    const named = { ...token20, name: 'Gold', symbol: 'GLD', program_information: { name: 'Gold', symbol: 'GLD' } }
    const { token: gold, genesis } = await mint(owned(7n))
    const fake = await contracts.deploy(Token, owned(9_000n), funding())
    await fake.send(all)
    await devnode.mine(2)
    const shown = createTokens({ engine, contracts })
    shown.add({ artifact: named, genesis })
    shown.add({ artifact: named, genesis: fake.genesis })
    expect(fake.covenantId).not.toBe(gold)
    const sent = shown.transfer({ token: gold, to: BOB.address, amount: 7n })
    await (await contracts.transaction([sent], funding())).send(all)
    await devnode.mine(2)
    expect(amountOf(await balanceOf(shown, BOB.address, gold, has(7n)))).toBe(7n)
    expect(amountOf(await balanceOf(shown, ALICE.address, gold, has(0n)))).toBe(0n)
    expect(amountOf(await balanceOf(shown, ALICE.address, fake.covenantId, has(9_000n)))).toBe(9_000n)
    const shownBalances = await firstValueFrom(
      shown.balances$([ALICE.address, BOB.address]).pipe(filter((one) => one.length > 1)),
    )
    expect(shownBalances.map(({ covenantId, supply }) => [covenantId, supply])).toEqual([
      [gold, 7n],
      [fake.covenantId, 9_000n],
    ])
    expect(JSON.stringify(shownBalances, (_, value: unknown) => (typeof value === 'bigint' ? '' : value))).not.toMatch(
      /gld/i,
    )
    for (const token of ['GLD', 'Gold', gold.slice(0, 4)])
      expect(() => shown.transfer({ token, to: BOB.address, amount: 1n })).toThrow(
        expect.objectContaining({ code: 'invalid-argument', argument: 'token' }),
      )
  })

  it('has an entry more than a token has no known supply, and what its calls make counts for no one where nothing proves it', async () => {
    const { contracts, devnode, funding, all, engine } = harness
    const artifact = minting()
    const issued = createTokens({ engine, contracts })
    const { genesis, send } = await contracts.deploy(defineContract(artifact), owned(5n), funding())
    await send(all)
    await devnode.mine(2)
    const { covenantId: token, supply } = issued.add({ artifact, genesis })
    expect(supply).toBe('unknown')
    expect(amountOf(await balanceOf(issued, ALICE.address, token, has(5n)))).toBe(5n)
    const more = issued.transfer({ token, to: CAROL.address, amount: 5n, from: ALICE.address })
    const plan = await contracts.transaction([more], funding())
    await plan.send(all)
    await devnode.mine(2)
    // its program hashes nothing: the chain shows an address, and no amount of it
    const stranger = createTokens({ engine: await harness.open() })
    stranger.add({ artifact, genesis, from: 'pruning-point' })
    const { balances, supply: unknown } = await balanceOf(stranger, CAROL.address, token)
    expect([balances, unknown]).toEqual([[], 'unknown'])
  })

  it('is of another program than pinned, or of no token, is refused', () => {
    const { tokens } = harness
    const outpoint = { transactionId: '22'.repeat(32), index: 0 }
    const genesis = { outpoint, outputs: [{ index: 0, value: KAS, state: owned(5n) }] }
    expect(() => tokens.add({ artifact: token20, genesis, templateHash: '11'.repeat(32) })).toThrow(
      expect.objectContaining({ code: 'invalid-artifact', argument: 'contracts.Token20.compiled.template_hash' }),
    )
    const counted = { outpoint, outputs: [{ index: 0, value: KAS, state: Counter.initialState }] }
    expect(() => tokens.add({ artifact: counter, genesis: counted })).toThrow(
      expect.objectContaining({ code: 'invalid-artifact', argument: 'runtime_state.fields' }),
    )
  })

  it('lets anyone spend its outputs shows what leaves in the plan, and reaches nothing that is not in it', async () => {
    const { contracts, devnode, funding, all, engine } = harness
    const artifact = leaking()
    const open = createTokens({ engine })
    const plan = await contracts.deploy(defineContract(artifact), owned(5n), {
      ...funding(),
      value: 10n * KAS,
    })
    await plan.send(all)
    await devnode.mine(2)
    const { covenantId: token } = open.add({ artifact, genesis: plan.genesis })
    const theft = open.transfer({ token, to: CAROL.address, amount: 5n, from: ALICE.address })
    const settings = funding()
    const { summary, transactions } = await contracts.transaction([theft], settings)
    expect(summary).toMatchObject({ leaves: 9n * KAS, contracts: [{ before: 10n * KAS, after: KAS }] })
    const spent = transactions.flatMap((one) => one.serialize().inputs.length)
    expect(spent).toEqual([1])
  })
})

describe('a node that', () => {
  it('withholds a transfer leaves the balance of before; what continues it counts for no one, and is incomplete', async () => {
    const { tokens, mint, transfer, devnode } = harness
    const { token, genesis, from } = await mint()
    const hidden: Parameters<typeof withoutFirst>[0] = {}
    const { ports } = devnode.engineOptions
    const liar = createChainEngine({
      ...devnode.engineOptions,
      sdk: light,
      ports: {
        ...ports,
        node: lying(createNodePort(ports.platform), { getVirtualChainFromBlockV2: withoutFirst(hidden) }),
      },
    })
    await liar.connection.connect()
    const deceived = createTokens({ engine: liar })
    deceived.add({ artifact: token20, genesis, from })
    const seen: TokenBalances[] = []
    const subscription = deceived.balances$(ALICE.address).subscribe((all) => seen.push(...all))
    await expect.poll(() => seen.at(-1)?.balances[0]?.amount).toBe(1_000n)
    hidden.covenantId = token
    await transfer(tokens.transfer({ token, to: BOB.address, amount: 600n }))
    expect(amountOf(await balanceOf(tokens, BOB.address, token, has(600n)))).toBe(600n)
    await expect.poll(() => hidden.transactionId).toBeDefined()
    expect(seen.at(-1)).toMatchObject({ balances: [{ amount: 1_000n }], isIncomplete: false })
    await transfer(tokens.transfer({ token, to: CAROL.address, amount: 600n, from: BOB.address }))
    await expect.poll(() => seen.at(-1)?.isIncomplete).toBe(true)
    expect(amountOf(await balanceOf(deceived, CAROL.address, token))).toBe(0n)
    expect(amountOf(await balanceOf(tokens, CAROL.address, token, has(600n)))).toBe(600n)
    subscription.unsubscribe()
    await liar.dispose()
  })

  it('does not have a transfer yet leaves the balance of before, and shows the sent one as pending', async () => {
    const { tokens, mint, contracts, funding, all, devnode } = harness
    const { token } = await mint()
    const hidden = await contracts.transaction([tokens.transfer({ token, to: BOB.address, amount: 600n })], funding())
    expect(amountOf(await balanceOf(tokens, BOB.address, token))).toBe(0n)
    await hidden.send(all)
    expect(await balanceOf(tokens, BOB.address, token, has(600n))).toMatchObject({
      balances: [{ amount: 0n, pending: 600n }],
    })
    await devnode.mine(2)
    expect((await balanceOf(tokens, BOB.address, token, has(600n))).isIncomplete).toBe(false)
  })

  it('shows a losing branch is followed back, and the tokens with it', async () => {
    const { tokens, mint, transfer, devnode, funding, keys } = harness
    const { token, genesis, from } = await mint()
    const other = await devnode.fork()
    const away = createChainEngine({ ...other.engineOptions, sdk: light })
    await away.connection.connect()
    await away.wasm.init()
    await transfer(tokens.transfer({ token, to: BOB.address, amount: 600n }))
    expect(amountOf(await balanceOf(tokens, BOB.address, token, has(600n)))).toBe(600n)

    const there = createTokens({ engine: away })
    there.add({ artifact: token20, genesis, from })
    const settled = await createContracts({ engine: away }).transaction(
      [there.transfer({ token, to: CAROL.address, amount: 100n })],
      funding(),
    )
    await settled.send(keys)
    await other.mine(9)
    await devnode.sync(other)
    expect(amountOf(await balanceOf(tokens, CAROL.address, token, has(100n)))).toBe(100n)
    expect(amountOf(await balanceOf(tokens, BOB.address, token))).toBe(0n)
    expect(amountOf(await balanceOf(tokens, ALICE.address, token, has(900n)))).toBe(900n)
    await away.dispose()
    await other.close()
  })
})

/** A page without the first transaction that touches a covenant, once one is named. */
const withoutFirst =
  (hidden: { covenantId?: string; transactionId?: string }) =>
  (page: ChainPage): ChainPage => {
    const isHidden = ({ outputs, verboseData }: TransactionRecord): boolean => {
      const { covenantId } = hidden
      if (covenantId === undefined || !outputs.some(({ covenant }) => covenant?.covenantId === covenantId)) return false
      hidden.transactionId ??= verboseData?.transactionId ?? ''
      return hidden.transactionId === verboseData?.transactionId
    }
    return {
      ...page,
      chainBlockAcceptedTransactions: page.chainBlockAcceptedTransactions.map((block) => ({
        ...block,
        acceptedTransactions: block.acceptedTransactions.filter((transaction) => !isHidden(transaction)),
      })),
    }
  }

/** The same with a third entry, which mints. */
function minting() {
  const artifact = leaking()
  const { Token20 } = artifact.contracts
  const entries = { ...Token20.entries, mint: { dispatch_tag: dispatchTag('mint', []), params: [] } }
  return { ...artifact, contracts: { Token20: { ...Token20, entries } } }
}

/** The token with a program that takes any call: it drops what is on the stack. */
function leaking() {
  const { Token20 } = token20.contracts
  const { bytecode, state_span: span } = Token20.compiled
  const state = bytecode.slice(2 * span.offset, 2 * (span.offset + span.len))
  const suffix = '6d'.repeat(7) + '51'
  const compiled = {
    bytecode: state + suffix,
    template_hash: templateHash({ prefix: new Uint8Array(0), suffix: fromHex(suffix) }),
    state_span: { offset: 0, len: span.len },
  }
  return { ...token20, contracts: { Token20: { ...Token20, compiled } } }
}
