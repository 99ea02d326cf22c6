import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFeed } from '../../../src/feed/create-feed.js'
import type { FeedOptions } from '../../../src/feed/options.js'
import type { FeedSink } from '../../../src/feed/sink.js'
import { owned, Token } from '../../contract-calls/token-rows.js'
import { ALICE, BOB, CAROL } from '../../contract-calls/transaction.js'
import { openTokens, type TokensHarness } from '../../contracts/tokens/harness.js'
import { token20 } from '../../fixtures/contracts/modules/token20.js'

/** Tokens beside transfers: one cursor, one transaction, one rollback. */

/** A database under test. */
export interface TokenFeedDatabase {
  readonly sink: (schema: string) => FeedSink
  /** A sink whose server process is killed at each statement that begins like one of `at`, which is removed then. */
  readonly killedSink?: (schema: string, at: Set<string>) => FeedSink
  readonly sql: (text: string) => Promise<readonly Readonly<Record<string, unknown>>[]>
}

/** `subject`: the database, once it is open. */
export const describeTokenFeed = (name: string, subject: () => TokenFeedDatabase): void => {
  describe(name, () => {
    let harness: TokensHarness
    beforeAll(async () => {
      harness = await openTokens({ count: 30 })
    })
    afterAll(() => harness.close())

    /** The rows of a statement, one text each; none where there are no tables yet. */
    const read = async (text: string): Promise<readonly string[]> =>
      (
        await subject()
          .sql(text)
          .catch(() => [])
      ).map((row) => Object.values(row).join(' '))
    const balances = (schema: string) =>
      read(`select address, amount::text as amount, outputs::text as outputs, locked_kas::text as kas
        from ${schema}.token_balance where outputs > 0 order by amount`)
    const transfers = (schema: string) =>
      read(`select direction, amount::text as amount, address from ${schema}.token_transfer
        order by accepting_blue_score nulls first, direction desc, amount`)
    const has = (party: { readonly address: string }, amount: number, outputs = 1) =>
      `${party.address} ${amount} ${outputs} ${outputs}00000000`

    /** A feed that runs until it is stopped. */
    function start(schema: string, options: Pick<FeedOptions, 'tokens'> & Partial<FeedOptions>) {
      const stopped = new AbortController()
      const feed = createFeed({
        engine: harness.engine,
        sink: subject().sink(schema),
        watch: [],
        minConfirmations: 0,
        ...options,
      })
      const ended = feed.run({ signal: stopped.signal }).then(
        () => undefined,
        (error: unknown) => error,
      )
      return {
        ended,
        stop: async () => {
          stopped.abort()
          expect(await ended).toBeUndefined()
        },
      }
    }

    it('stores what owners of tokens receive, spend and have, through a restart, a stop and a reorg, and no KAS of it', async () => {
      const { devnode, tokens, mint, transfer } = harness
      const { token, genesis, from } = await mint()
      const source = [{ artifact: token20, genesis }]
      const first = start('followed', { tokens: source, from, watch: [CAROL.address] })
      await expect.poll(() => balances('followed')).toEqual([has(ALICE, 1_000)])
      await transfer(tokens.transfer({ token, to: BOB.address, amount: 600n }))
      await expect.poll(() => balances('followed')).toEqual([has(ALICE, 400), has(BOB, 600)])
      await first.stop()

      const other = await devnode.fork()
      await transfer(tokens.transfer({ token, to: BOB.address, amount: 100n }))
      const second = start('followed', { tokens: source, watch: [CAROL.address] })
      await expect.poll(() => balances('followed')).toEqual([has(ALICE, 300), has(BOB, 700, 2)])
      expect(await transfers('followed')).toEqual([
        `in 1000 ${ALICE.address}`,
        `out 1000 ${ALICE.address}`,
        `in 400 ${ALICE.address}`,
        `in 600 ${BOB.address}`,
        `out 400 ${ALICE.address}`,
        `in 100 ${BOB.address}`,
        `in 300 ${ALICE.address}`,
      ])
      expect(await read('select supply::text as supply, is_incomplete from followed.token')).toEqual(['1000 false'])
      await other.mine(9)
      await devnode.sync(other)
      await expect.poll(() => balances('followed')).toEqual([has(ALICE, 400), has(BOB, 600)])
      expect(await transfers('followed')).toHaveLength(4)
      expect(await read('select address from followed.transfer')).toEqual([])
      await second.stop()
      await other.close()
    })

    it('stores each row once, with the balances of all, where the server is killed at any statement of a step', async ({
      skip,
    }) => {
      const { devnode, tokens, mint, transfer } = harness
      const { killedSink } = subject()
      if (killedSink === undefined) return skip('The database has no process of its own')
      const { token, genesis, from } = await mint()
      const at = new Set<string>()
      const killedAt = (...statements: readonly string[]) => statements.forEach((one) => at.add(one))
      const options = { tokens: [{ artifact: token20, genesis }], from, sink: killedSink('killed', at) }
      const first = start('killed', options)
      await expect.poll(() => balances('killed')).toEqual([has(ALICE, 1_000)])
      const other = await devnode.fork()
      killedAt('insert into "killed".token as', 'with inserted', 'update "killed".token_transfer', 'commit')
      await transfer(tokens.transfer({ token, to: BOB.address, amount: 600n }))
      await expect.poll(() => balances('killed')).toEqual([has(ALICE, 400), has(BOB, 600)])
      expect([...at]).toEqual([])
      expect(await transfers('killed')).toHaveLength(4)
      await first.stop()

      const second = start('killed', options)
      killedAt('with deleted as', 'update "killed".contract_output', 'commit')
      await other.mine(9)
      await devnode.sync(other)
      await expect.poll(() => balances('killed')).toEqual([has(ALICE, 1_000)])
      expect([...at]).toEqual([])
      expect(await transfers('killed')).toEqual([`in 1000 ${ALICE.address}`])
      await second.stop()
      await other.close()
    })

    it('gives tables of version 6 those of tokens, beside their rows', async () => {
      const { devnode, mint } = harness
      const { genesis } = await mint()
      const kas = () => read('select direction, amount::text as amount from older.transfer order by sequence')
      const before = start('older', { watch: [ALICE.address] })
      await expect.poll(kas).not.toEqual([])
      await before.stop()
      const rows = await kas()
      await subject().sql('drop table older.token_balance, older.token_transfer, older.contract_output, older.token')
      await subject().sql('delete from older.migration where version >= 7')
      const feed = start('older', { watch: [ALICE.address], tokens: [{ artifact: token20, genesis }] })
      await expect.poll(() => read('select max(version)::text as version from older.migration')).toEqual(['8'])
      await devnode.mine(2)
      await expect.poll(() => balances('older')).toEqual([has(ALICE, 1_000)])
      expect((await kas()).slice(0, rows.length)).toEqual(rows)
      await feed.stop()
    })

    it('begins with what the UTXO set has, which a reorg below takes away and the other branch brings back', async () => {
      const { devnode, contracts, funding, all } = harness
      const other = await devnode.fork()
      const plan = await contracts.deploy(Token, owned(50n), funding())
      await plan.send(all)
      await devnode.mine(2)
      const feed = start('begun', { tokens: [{ artifact: token20, genesis: plan.genesis }] })
      await expect.poll(() => read('select 1 from begun.cursor')).toHaveLength(1)
      await devnode.mine(1)
      await expect.poll(() => balances('begun')).toEqual([has(ALICE, 50)])
      const isPlaced = () => read('select accepting_blue_score is not null from begun.token_transfer')
      expect(await isPlaced()).toEqual(['false'])
      await other.mine(9)
      await devnode.sync(other)
      await expect.poll(() => balances('begun')).toEqual([])
      await devnode.mine(3)
      await expect.poll(() => balances('begun')).toEqual([has(ALICE, 50)])
      expect(await isPlaced()).toEqual(['true'])
      await feed.stop()
      await other.close()
    })

    it('has the outputs of a snapshot again where they come back after a reorg, through a restart between', async () => {
      const { devnode, tokens, mint, transfer } = harness
      const { token, genesis } = await mint()
      const other = await devnode.fork()
      const id = await transfer(tokens.transfer({ token, to: BOB.address, amount: 600n }))
      const snapshot = [owned(600n, BOB), owned(400n)].map((state, index) => ({
        outpoint: { transactionId: id, index },
        value: 100_000_000n,
        state,
      }))
      const source = { tokens: [{ artifact: token20, genesis, snapshot }] }
      const both = [has(ALICE, 400), has(BOB, 600)]
      const incomplete = () => read('select is_incomplete from returned.token')
      /** The other branch wins: the transfer waits in the mempool. */
      const undo = async (blocks: number) => {
        await other.mine(blocks)
        await devnode.sync(other)
      }
      const first = start('returned', source)
      await expect.poll(() => read('select 1 from returned.cursor')).toHaveLength(1)
      await devnode.mine(1)
      await expect.poll(() => balances('returned')).toEqual(both)
      expect(await incomplete()).toEqual(['false'])
      await undo(9)
      await expect.poll(() => balances('returned')).toEqual([])
      expect(await incomplete()).toEqual(['true'])
      await first.stop()

      const second = start('returned', source)
      await undo(1)
      const { sinkBlueScore } = await harness.engine.rpc.getSinkBlueScore()
      await expect
        .poll(() => read('select blue_score::text as s from returned.cursor'))
        .toEqual([String(sinkBlueScore)])
      expect(await incomplete()).toEqual(['true'])
      await devnode.mine(3)
      await expect.poll(() => balances('returned')).toEqual(both)
      expect(await incomplete()).toEqual(['false'])
      expect(await transfers('returned')).toEqual([`in 400 ${ALICE.address}`, `in 600 ${BOB.address}`])
      await second.stop()
      await other.close()
    })

    it('takes of a snapshot what the UTXO set has, says where outputs are unknown, and is whole again', async () => {
      const { devnode, tokens, mint, transfer } = harness
      const { token, genesis } = await mint()
      const id = await transfer(tokens.transfer({ token, to: BOB.address, amount: 600n }))
      /** Tokens begin at the next block. */
      const mined =
        <T>(value: () => Promise<T>) =>
        async (): Promise<T> => {
          await devnode.mine(1)
          return value()
        }
      const incomplete = () => read('select is_incomplete from begins_late.token')
      const late = start('begins_late', { tokens: [{ artifact: token20, genesis }] })
      await expect.poll(mined(incomplete)).toEqual(['true'])
      await late.stop()
      const outputOf = (index: number, amount: bigint, party = ALICE) => ({
        outpoint: { transactionId: id, index },
        value: 100_000_000n,
        state: owned(amount, party),
      })
      const invented = [outputOf(0, 600_000n, BOB), outputOf(1, 400n)]
      const lied = start('begins_late', { tokens: [{ artifact: token20, genesis, snapshot: invented }] })
      await expect.poll(mined(() => balances('begins_late'))).toEqual([has(ALICE, 400)])
      expect(await incomplete()).toEqual(['true'])
      await lied.stop()
      const snapshot = [outputOf(0, 600n, BOB), outputOf(1, 400n)]
      const whole = start('begins_late', { tokens: [{ artifact: token20, genesis, snapshot }] })
      await expect.poll(mined(() => balances('begins_late'))).toEqual([has(ALICE, 400), has(BOB, 600)])
      await expect.poll(incomplete).toEqual(['false'])
      await whole.stop()

      const without = start('begins_late', { tokens: [] })
      expect(await without.ended).toMatchObject({ code: 'invalid-argument', argument: 'tokens' })
      await subject().sql('delete from begins_late.token')
      expect(await balances('begins_late')).toEqual([])
      expect(await transfers('begins_late')).toEqual([])
    })

    it('refuses what createTokens refuses, and what it could not follow', async () => {
      const { genesis, token } = await harness.mint()
      const create =
        (tokens: FeedOptions['tokens'], options: Partial<FeedOptions> = {}) =>
        () =>
          createFeed({
            engine: harness.engine,
            sink: subject().sink('refused'),
            watch: [],
            minConfirmations: 0,
            tokens,
            ...options,
          })
      const one = { artifact: token20, genesis }
      const codeOf = (code: string, argument?: string) =>
        expect.objectContaining({ code, ...(argument && { argument }) })
      expect(create([{ ...one, covenantId: '11'.repeat(32) }])).toThrow(
        expect.objectContaining({ code: 'genesis-mismatch', computed: token, given: '11'.repeat(32) }),
      )
      expect(create([{ ...one, templateHash: '11'.repeat(32) }])).toThrow(codeOf('invalid-artifact'))
      expect(create([one, one])).toThrow(codeOf('invalid-argument', 'tokens'))
      expect(create([one], { onGap: 'continue' })).toThrow(codeOf('invalid-argument', 'onGap'))
      const sink = { ...subject().sink('refused'), hasTokenTables: false }
      expect(create([one], { sink })).toThrow(codeOf('invalid-argument', 'tokens'))
      const { rpc: _, ...engine } = { ...harness.engine, connection: harness.engine.connection }
      expect(create([one], { engine })).toThrow(codeOf('invalid-argument', 'engine'))
    })
  })
}
