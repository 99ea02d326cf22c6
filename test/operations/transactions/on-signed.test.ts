import { describe, expect, it } from 'vitest'
import type { SerializedTransaction } from '../../../src/model/serialized-transaction.js'
import { createTransactions } from '../../../src/operations/transactions/transactions.js'
import { loadSdk } from '../../../src/sdk/wasm/load.js'
import { acceptingNode, hundred, large, small } from './accepting-node.js'
import { KAS, alice, bob } from './accounts.js'
import { failure } from './failure.js'
import { remoteRejection } from './scripted-dependencies.js'

const sdk = await loadSdk() // signs 100 inputs in a tenth of the time that `light` takes

const commands = [
  ['send', (deps, options) => createTransactions(deps).send(large, options)],
  [
    'sweep',
    (deps, options) =>
      createTransactions(deps).sweep({ entries: hundred, to: bob.address, privateKeys: large.privateKeys }, options),
  ],
  [
    'consolidate',
    (deps, options) =>
      createTransactions(deps).consolidate(
        { entries: hundred, changeAddress: alice.address, privateKeys: large.privateKeys },
        options,
      ),
  ],
] satisfies [string, Command][]

type Node = ReturnType<typeof acceptingNode>
type Options = Parameters<ReturnType<typeof createTransactions>['send']>[1]
type Command = (deps: Node['deps'], options: Options) => Promise<{ readonly transactionIds: string[] }>

describe.each(commands)('%s() with onSigned', (_, run) => {
  it('awaits it with all signed transactions before the first submission', async () => {
    const { deps, accepted } = acceptingNode(sdk)
    let received: readonly SerializedTransaction[] = []
    const { transactionIds } = await run(deps, {
      onSigned: async (payments) => {
        received = payments
        await new Promise<void>((resolve) => queueMicrotask(resolve))
        expect(accepted).toEqual([])
      },
    })
    expect(received.map(({ id }) => id)).toEqual(transactionIds)
    expect(received.every(({ inputs }) => inputs.every(({ signatureScript }) => signatureScript !== ''))).toBe(true)
    expect(received.map(({ restore }) => restore?.lookupStart)).toEqual(received.map(() => 'aa'.repeat(32)))
    expect(accepted).toHaveLength(received.length)
  })

  it.each([
    ['rejects', () => Promise.reject(new Error('disk full'))],
    [
      'throws',
      () => {
        throw new Error('disk full')
      },
    ],
  ])('sends nothing and releases the UTXOs where it %s', async (__, onSigned) => {
    const { deps, accepted } = acceptingNode(sdk)
    expect(await failure(run(deps, { onSigned }))).toMatchObject({
      name: 'ChainError',
      message: 'onSigned() rejected, so the payment was not sent',
      code: 'failed',
      argument: 'onSigned',
      details: 'disk full',
    })
    expect([accepted.length, deps.reserved.size]).toEqual([0, 0])
  })
})

describe('send with onSigned', () => {
  it('sends nothing where the signal aborts meanwhile', async () => {
    const { deps, accepted } = acceptingNode(sdk)
    const controller = new AbortController()
    const attempt = createTransactions(deps).send(small, {
      signal: controller.signal,
      onSigned: () => controller.abort(),
    })
    expect(await failure(attempt)).toMatchObject({ code: 'aborted' })
    expect([accepted.length, deps.reserved.size]).toEqual([0, 0])
  })

  it('does not call it where the sink cannot be read, which a later lookup needs', async () => {
    const { deps } = acceptingNode(sdk, {}, { getSink: remoteRejection('getSink', 'the node is busy') })
    let calls = 0
    expect(
      await failure(
        createTransactions(deps).send(small, {
          onSigned: () => {
            calls++
          },
        }),
      ),
    ).toMatchObject({
      code: 'remote',
      hint: 'Nothing was sent, and its UTXOs are released.',
    })
    expect([calls, deps.reserved.size]).toEqual([0, 0])
  })

  it.each([
    ['a misspelt name', { onSignd: () => undefined }, 'onSignd'],
    ['no function', { onSigned: true }, 'onSigned'],
  ])('rejects %s before any call', async (_, options, argument) => {
    const { deps } = acceptingNode(sdk)
    expect(await failure(createTransactions(deps).send(small, options as object))).toMatchObject({
      code: 'invalid-argument',
      argument,
    })
    expect(deps.calls).toEqual([])
  })

  it('holds no private key in what it receives', async () => {
    const { deps } = acceptingNode(sdk)
    let text = ''
    await createTransactions(deps).send(small, { onSigned: (payments) => void (text = JSON.stringify(payments)) })
    expect(text).toContain(small.entries[0]?.outpoint.transactionId)
    expect(text).not.toContain(alice.privateKey)
    expect(text).toContain(String(30n * KAS))
  })
})
