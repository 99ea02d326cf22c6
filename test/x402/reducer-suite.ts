import { describe, expect, it } from 'vitest'
import { type X402Payment, REJECTED_DEPTH, reduceSettlement, type SettlementEvent } from '../../src/x402/settlement.js'
import { runs } from '../full.js'
import { randomOf } from '../wrpc/mutation.js'
import { paymentOf } from './support/payments.js'

export function reducerTests(): void {
  const response = { status: 200, headers: {}, body: '' }
  const run = (events: readonly SettlementEvent[], from = paymentOf('ab', { confirmations: 2 })) =>
    events.reduce(
      ({ payment, commands }, event) => {
        const step = reduceSettlement(payment, event)
        return { payment: step.payment, commands: [...commands, ...step.commands] }
      },
      { payment: from, commands: [] as readonly string[] },
    )

  const accepted = { type: 'accepted', blueScore: 100n } as const
  const taken = { type: 'taken', handler: 'h', blueScore: 102n, at: 5 } as const
  const responded = { type: 'responded', response } as const
  const conflicted = { type: 'conflicted', transactionId: 'cd', blueScore: 101n } as const

  describe('reduceSettlement', () => {
    it.each<readonly [string, readonly SettlementEvent[], X402Payment['state'], readonly string[]]>([
      ['goes from claimed to served', [{ type: 'submitted' }, accepted, taken, responded], 'served', []],
      ['is accepted without a reply of the node', [accepted], 'accepted', []],
      ['is not taken before it is as deep as required', [accepted, { ...taken, blueScore: 101n }], 'accepted', []],
      ['is taken once', [accepted, taken, { ...taken, handler: 'other' }], 'serving', []],
      ['needs a recovery where its handler failed', [accepted, taken, { type: 'abandoned' }], 'recovery-required', []],
      [
        'takes the result of an operator',
        [accepted, taken, { type: 'abandoned' }, { type: 'recovered', response }],
        'served',
        [],
      ],
      [
        'takes the result of a handler that was taken for dead',
        [accepted, taken, { type: 'abandoned' }, responded],
        'served',
        [],
      ],
      [
        'keeps the result of a handler during a double spend that is undone',
        [accepted, taken, conflicted, responded, { type: 'rolled-back', blueScore: 100n }, accepted],
        'served',
        ['report'],
      ],
      ['is broadcast again by a reorg', [accepted, { type: 'rolled-back', blueScore: 99n }], 'broadcast', ['submit']],
      ['keeps its block in a shallower reorg', [accepted, { type: 'rolled-back', blueScore: 100n }], 'accepted', []],
      [
        'is served in spite of a reorg',
        [accepted, taken, responded, { type: 'rolled-back', blueScore: 99n }],
        'served',
        ['submit'],
      ],
      ['conflicts at once', [{ type: 'submitted' }, conflicted], 'conflicting', []],
      ['is not rejected before ten blocks', [conflicted, { type: 'advanced', blueScore: 110n }], 'conflicting', []],
      [
        'is rejected and released after ten',
        [conflicted, { type: 'advanced', blueScore: 111n }],
        'rejected',
        ['release'],
      ],
      [
        'comes back where a reorg undoes the conflict',
        [conflicted, { type: 'rolled-back', blueScore: 100n }, accepted],
        'accepted',
        [],
      ],
      [
        'is reported where it was served',
        [accepted, taken, responded, { type: 'rolled-back', blueScore: 99n }, conflicted],
        'conflicting',
        ['submit', 'report'],
      ],
      [
        'stays conflicting where it was served',
        [accepted, taken, responded, conflicted, { type: 'advanced', blueScore: 999n }],
        'conflicting',
        ['report'],
      ],
      [
        'is served again where the double spend is undone',
        [accepted, taken, responded, conflicted, { type: 'rolled-back', blueScore: 100n }, accepted],
        'served',
        ['report'],
      ],
      [
        'never runs a second handler',
        [
          accepted,
          taken,
          conflicted,
          { type: 'rolled-back', blueScore: 100n },
          accepted,
          { ...taken, handler: 'other' },
        ],
        'recovery-required',
        ['report'],
      ],
    ])('%s', (_, events, state, commands) => {
      const found = run(events)
      expect([found.payment.state, found.commands]).toEqual([state, commands])
    })

    it('returns the same object for a repeated event, and counts versions', () => {
      const { payment } = run([accepted, taken, responded])
      expect(payment.version).toBe(3)
      for (const event of [accepted, taken, responded, { type: 'submitted' } as const])
        expect(reduceSettlement(payment, event).payment).toBe(payment)
    })

    it('gives the state of the last branch, whatever reorgs came before', () => {
      for (let seed = 0; seed < 200; seed++) {
        const events = Array.from({ length: seed % 7 }, (_, at): SettlementEvent[] =>
          (seed >> at) % 2 === 0
            ? [
                { type: 'accepted', blueScore: BigInt(100 + at) },
                { type: 'rolled-back', blueScore: 90n },
              ]
            : [
                { ...conflicted, blueScore: BigInt(100 + at) },
                { type: 'rolled-back', blueScore: 90n },
              ],
        ).flat()
        expect(run([...events, accepted]).payment).toMatchObject({
          state: 'accepted',
          acceptedBlueScore: 100n,
          conflict: null,
        })
        expect(run([...events, conflicted]).payment).toMatchObject({ state: 'conflicting', acceptedBlueScore: null })
      }
    })

    it('takes a payment once, rejects no shallow conflict and loses no response, in any order of events', () => {
      const random = randomOf(Number(process.env.FUZZ_SEED ?? 45))
      const score = () => BigInt(100 + Math.floor(random() * 30))
      const kinds: readonly (() => SettlementEvent)[] = [
        () => ({ type: 'submitted' }),
        () => ({ type: 'accepted', blueScore: score() }),
        () => ({ type: 'conflicted', transactionId: random() < 0.5 ? 'cd' : 'ef', blueScore: score() }),
        () => ({ type: 'rolled-back', blueScore: score() }),
        () => ({ type: 'advanced', blueScore: score() }),
        () => ({ type: 'taken', handler: String(random()), blueScore: score(), at: 5 }),
        () => responded,
        () => ({ type: 'responded', response: null }),
        () => ({ type: 'abandoned' }),
        () => ({ type: 'recovered', response }),
      ]
      const reached = new Set<X402Payment['state']>()
      for (let number = 0; number < runs(1_000, 100_000); number++) {
        let payment = paymentOf('ab', { confirmations: Math.floor(random() * 3) })
        let handlers = 0
        for (let count = 0; count < 20; count++) {
          const event = kinds[Math.floor(random() * kinds.length)]!()
          const { payment: next, commands } = reduceSettlement(payment, event)
          const isTaken = next.handler !== payment.handler
          if (isTaken) handlers++
          const depth =
            event.type === 'advanced' && payment.conflict ? event.blueScore - payment.conflict.blueScore : 0n
          const isRejected = next.state === 'rejected' && payment.state !== 'rejected'
          const broken = [
            next !== payment && next.version !== payment.version + 1 && 'a version is skipped',
            handlers > 1 && 'a second handler runs',
            isTaken && (payment.state !== 'accepted' || payment.acceptedBlueScore === null) && 'taken unpaid',
            payment.wasServed && !next.wasServed && 'a handler is forgotten',
            payment.response !== null && next.response !== payment.response && 'a response is lost',
            isRejected && (depth < REJECTED_DEPTH || payment.wasServed) && 'rejected too early',
            isRejected !== commands.includes('release') && 'released otherwise than by a rejection',
            next.conflict !== null && next.acceptedBlueScore !== null && 'accepted and double-spent',
          ].filter((rule) => rule !== false)
          if (broken.length > 0) expect([number, count, event, payment.state, next.state, broken]).toEqual([])
          payment = next
          reached.add(payment.state)
        }
      }
      expect(reached.size).toBe(8) // all states
    })
  })
}
