import { schnorr } from '@noble/curves/secp256k1.js'
import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../../src/model/hex.js'
import type { OpenWorker, WorkerHandlers } from '../../src/sdk/light/open-worker.js'
import { createSignInWorkers } from '../../src/sdk/light/sign-in-workers.js'
import { READY } from '../../src/sdk/light/sign-hashes.js'
import type { SigningRequest } from '../../src/sdk/port.js'

const KEYS = ['11'.repeat(32), '22'.repeat(32)] as const
const hash = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)
const requestsOf = (...counts: number[]): SigningRequest[] =>
  counts.map((count, key) => ({
    privateKey: KEYS[key] ?? KEYS[0],
    hashes: Array.from({ length: count }, (_, at) => hash(at + 1)),
  }))

/** Workers of the test: `reply` produces the second message, or calls a handler. */
function workersThat(
  reply: (requests: readonly SigningRequest[], handlers: WorkerHandlers) => unknown,
  first?: unknown,
) {
  const workers = { opened: 0, ended: 0, posted: [] as (readonly SigningRequest[])[] }
  const open: OpenWorker = (handlers) => {
    workers.opened++
    queueMicrotask(() => handlers.onMessage(first ?? READY))
    return {
      post: (message) => {
        const requests = message as readonly SigningRequest[]
        workers.posted.push(requests)
        const data = reply(requests, handlers)
        if (data !== undefined) queueMicrotask(() => handlers.onMessage(data))
      },
      end: () => workers.ended++,
    }
  }
  return { workers, open }
}

/** Scripts as a worker replies them, without the cost of a signature: each names its hash and key. */
const sign = (requests: readonly SigningRequest[]): string[][] =>
  requests.map(({ hashes, privateKey }) => hashes.map((one) => `41${toHex(one)}${privateKey}01`))

/** Expects a valid signature script for each hash, in order. */
function expectSigned(requests: readonly SigningRequest[], signed: readonly (readonly string[])[]): void {
  expect(signed.map((scripts) => scripts.length)).toEqual(requests.map(({ hashes }) => hashes.length))
  for (const [at, { hashes, privateKey }] of requests.entries()) {
    const publicKey = schnorr.getPublicKey(fromHex(privateKey))
    for (const [position, script] of (signed[at] ?? []).entries())
      expect(schnorr.verify(fromHex(script.slice(2, 130)), hashes[position]!, publicKey)).toBe(true)
  }
}

describe('signing in workers', () => {
  it('signs up to 8 hashes without a worker', async () => {
    const { workers, open } = workersThat(sign)
    const requests = requestsOf(5, 3)
    expectSigned(requests, await createSignInWorkers(open)(requests))
    expect(workers.opened).toBe(0)
  })

  it('signs more in one worker, which ends', async () => {
    const { workers, open } = workersThat(sign)
    const requests = requestsOf(6, 3)
    expect(await createSignInWorkers(open)(requests)).toEqual(sign(requests))
    expect(workers).toMatchObject({ opened: 1, ended: 1 })
  })

  it.each([[[64]], [[50, 20]], [[10, 70]]])('divides %s hashes between two workers', async (counts) => {
    const { workers, open } = workersThat(sign)
    const requests = requestsOf(...counts)
    expect(await createSignInWorkers(open)(requests)).toEqual(sign(requests))
    expect(workers).toMatchObject({ opened: 2, ended: 2 })
    const sizes = workers.posted.map((part) => part.reduce((sum, { hashes }) => sum + hashes.length, 0))
    const total = counts.reduce((sum, count) => sum + count, 0)
    expect(sizes).toEqual([Math.ceil(total / 2), Math.floor(total / 2)])
  })

  it.each<[string, OpenWorker]>([
    [
      'cannot be opened, as without import.meta.url or under a policy',
      () => {
        throw new TypeError('Failed to construct URL')
      },
    ],
    [
      'fails to load',
      (handlers) => (queueMicrotask(handlers.onFailure), { post: () => undefined, end: () => undefined }),
    ],
    ['fails while it signs', workersThat((_, handlers) => handlers.onFailure()).open],
    ['replies that it failed', workersThat(() => null).open],
    ['replies with something else', workersThat(() => 'signed').open],
    ['replies with too few scripts', workersThat((requests) => requests.map(() => [])).open],
    ['replies with other text', workersThat((requests) => requests.map(({ hashes }) => hashes.map(() => '41'))).open],
    ['is the page of a server that replaces missing files', workersThat(sign, '<!doctype html>').open],
  ])('signs on the thread where the worker %s, and does not try again', async (_, open) => {
    let opened = 0
    const signAsync = createSignInWorkers((handlers) => (opened++, open(handlers)))
    const requests = requestsOf(5, 4)
    expectSigned(requests, await signAsync(requests))
    expectSigned(requests, await signAsync(requests))
    expect(opened).toBe(1)
  })

  it('ends the other worker where one fails', async () => {
    let first = true
    const { workers, open } = workersThat((_, handlers) => {
      if (first) handlers.onFailure()
      first = false
    })
    const requests = requestsOf(64)
    expectSigned(requests, await createSignInWorkers(open)(requests))
    expect(workers).toMatchObject({ opened: 2, ended: 2 })
  })

  it('rejects with the reason of the signal and ends the worker where it aborts', async () => {
    const { workers, open } = workersThat(() => undefined)
    const controller = new AbortController()
    const attempt = createSignInWorkers(open)(requestsOf(9), { signal: controller.signal })
    await expect.poll(() => workers.posted.length).toBe(1)
    controller.abort(new Error('stop'))
    await expect(attempt).rejects.toThrow('stop')
    expect(workers).toMatchObject({ opened: 1, ended: 1 })
  })

  it('falls back under Node without the built worker file', async () => {
    const requests = requestsOf(9)
    expectSigned(requests, await createSignInWorkers()(requests))
  })
})
