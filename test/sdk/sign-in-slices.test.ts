import { schnorr } from '@noble/curves/secp256k1.js'
import { expect, it } from 'vitest'
import { fromHex } from '../../src/model/hex.js'
import { light } from '../../src/sdk/light/light.js'
import { signHashes } from '../../src/sdk/light/sign-hashes.js'
import { signInSlices } from '../../src/sdk/time-slices.js'

const KEYS = ['11'.repeat(32), '22'.repeat(32)] as const
const hash = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)

it('signs the hashes of every key, in order', async () => {
  const requests = KEYS.map((privateKey, at) => ({ privateKey, hashes: [hash(at), hash(at + 7), hash(at + 9)] }))
  const signed = await signInSlices(requests, signHashes)
  for (const [at, { privateKey, hashes }] of requests.entries()) {
    expect(signed[at]).toHaveLength(3)
    const publicKey = schnorr.getPublicKey(fromHex(privateKey))
    for (const [position, script] of (signed[at] ?? []).entries()) {
      expect(script).toMatch(/^41[0-9a-f]{128}01$/)
      expect(schnorr.verify(fromHex(script.slice(2, 130)), hashes[position]!, publicKey)).toBe(true)
    }
  }
})

it('pauses after each 8 ms, also between keys', async () => {
  let time = 0
  const pausedAt: number[] = []
  const clock = { now: () => (time += 2), pause: () => Promise.resolve(void pausedAt.push(time)) }
  await signInSlices(
    KEYS.map((privateKey) => ({ privateKey, hashes: [1, 2, 3, 4, 5].map(hash) })),
    signHashes,
    { clock },
  )
  expect(pausedAt).toEqual([10, 20])
})

it('lets other tasks run while many hashes are signed', async () => {
  const port = await light.loadPort()
  let tasks = 0
  const timer = setInterval(() => tasks++, 0)
  await port.signHashesAsync?.([{ privateKey: KEYS[0], hashes: Array.from({ length: 40 }, (_, at) => hash(at)) }])
  clearInterval(timer)
  expect(tasks).toBeGreaterThan(1)
})

it('refuses an invalid key or hash before anything is signed', async () => {
  const port = await light.loadPort()
  await expect(port.signHashesAsync?.([{ privateKey: '00'.repeat(32), hashes: [hash(1)] }])).rejects.toThrow(
    'The private key is not from 1 to the order of secp256k1',
  )
  await expect(port.signHashesAsync?.([{ privateKey: KEYS[0], hashes: [new Uint8Array(31)] }])).rejects.toThrow(
    'A hash is not 32 bytes',
  )
})
