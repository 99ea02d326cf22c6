import { describe, expect, it } from 'vitest'
import type { Frame, WireCodec } from '../../src/wrpc/codec.js'
import { createBorshCodec } from '../../src/wrpc/borsh/codec.js'
import { createJsonCodec } from '../../src/wrpc/json/codec.js'
import { damageBytes, damageText, randomOf, type Random } from './mutation.js'
import { bytesOf, fixture, textOf, type RecordedCall } from './recorded.js'
import { runs } from '../full.js'
import { LIMIT } from '../limits.js'

/** `FUZZ_SEED` replays a failure, `FUZZ_FRAMES` sets the number of frames. */
const SEED = Number(process.env.FUZZ_SEED ?? 20_251_121)
const FRAMES = Number(process.env.FUZZ_FRAMES ?? runs(5_000, 600_000))

/** The memory limit of a decoded frame, in bytes per byte of the frame. */
const SIZE_PER_BYTE = 64
const BASE_SIZE = 4_096

interface Recording {
  readonly calls: readonly RecordedCall[]
  readonly notifications?: readonly { readonly frame: string }[]
}

const framesOf = ({ calls, notifications = [] }: Recording): string[] => [
  ...calls.flatMap(({ request, response }) => [request, response]),
  ...notifications.map(({ frame }) => frame),
]

const recorded = (encoding: 'borsh' | 'json'): string[] =>
  [`node-2.1.0/${encoding}.json`, `wrpc/${encoding}-0.15.2.json`]
    .flatMap((path) => framesOf(fixture(path) as Recording))
    .filter((frame) => frame.length < 20_000)

const borshFrames = recorded('borsh').map(bytesOf)
const jsonFrames = recorded('json')

describe('a damaged frame', () => {
  it(`is decoded or reported malformed, in Borsh (seed ${SEED})`, { timeout: runs(LIMIT) }, () => {
    const random = randomOf(SEED)
    fuzz(createBorshCodec(), () => damageBytes(pickFrom(borshFrames, random), random))
  })

  it(`is decoded or reported malformed, in JSON (seed ${SEED})`, { timeout: runs(LIMIT) }, () => {
    const random = randomOf(SEED)
    fuzz(createJsonCodec(), () => damageText(pickFrom(jsonFrames, random), random))
  })

  it('is reported malformed if all of it is garbage', () => {
    const random = randomOf(SEED)
    const garbage = (): Frame => Uint8Array.from({ length: Math.floor(random() * 200) }, () => random() * 256)
    fuzz(createBorshCodec(), garbage, runs(2_000, 5_000))
    fuzz(createJsonCodec(), garbage, runs(2_000, 5_000))
  })
})

function fuzz(codec: WireCodec, nextFrame: () => Frame, frames = FRAMES): void {
  for (let remaining = frames; remaining > 0; remaining--) {
    const frame = nextFrame()
    const failure = failureOf(codec, frame)
    if (failure !== undefined) {
      expect.fail(`FUZZ_SEED=${SEED}, ${remaining} frames remaining: ${failure}\n${textOf(frame)}`)
    }
  }
}

/** The failure of decoding a frame; undefined on success. */
function failureOf(codec: WireCodec, frame: Frame): string | undefined {
  try {
    const message = codec.decodeMessage(frame)
    const request = codec.decodeRequest(frame)
    if (message.kind === 'malformed' && message.error.code !== 'malformed') return `untyped ${message.error.message}`
    const limit = BASE_SIZE + SIZE_PER_BYTE * frame.length
    const size = Math.max(sizeOf(message), sizeOf(request))
    return size > limit ? `${frame.length} bytes became ${size}` : undefined
  } catch (error) {
    return `thrown: ${String(error)}`
  }
}

/** The approximate memory size of a value, bytes. */
function sizeOf(value: unknown, seen = new Set<object>()): number {
  if (typeof value === 'string') return 16 + value.length
  if (typeof value !== 'object' || value === null) return 8
  if (value instanceof Error || seen.has(value)) return 8
  seen.add(value)
  return Object.values(value).reduce((sum: number, part) => sum + sizeOf(part, seen), 32)
}

const pickFrom = <T>(items: readonly T[], random: Random): T => items[Math.floor(random() * items.length)] as T
