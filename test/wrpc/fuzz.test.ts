import { describe, expect, it } from 'vitest'
import type { Frame, WireCodec } from '../../src/wrpc/codec.js'
import { createBorshCodec } from '../../src/wrpc/borsh/codec.js'
import { createJsonCodec } from '../../src/wrpc/json/codec.js'
import { damageBytes, damageText, randomOf, type Random } from './mutation.js'
import { bytesOf, fixture, textOf, type RecordedCall } from './recorded.js'

/** Give `FUZZ_SEED` to replay a failure, `FUZZ_FRAMES` for more. */
const SEED = Number(process.env.FUZZ_SEED ?? 20_251_121)
const FRAMES = Number(process.env.FUZZ_FRAMES ?? 60_000)

/** What a decoded frame may weigh for each byte of the frame: objects and texts are dearer than bytes, but not without bound. */
const WEIGHT_OF_A_BYTE = 64
const WEIGHT_OF_NOTHING = 4_096

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

describe('a frame that is damaged', () => {
  it(`is read as something or found malformed, in Borsh (seed ${SEED})`, { timeout: 120_000 }, () => {
    const random = randomOf(SEED)
    bombard(createBorshCodec(), () => damageBytes(pickFrom(borshFrames, random), random))
  })

  it(`is read as something or found malformed, in JSON (seed ${SEED})`, { timeout: 120_000 }, () => {
    const random = randomOf(SEED)
    bombard(createJsonCodec(), () => damageText(pickFrom(jsonFrames, random), random))
  })

  it('is found malformed when it is garbage from the first byte', () => {
    const random = randomOf(SEED)
    const garbage = (): Frame => Uint8Array.from({ length: Math.floor(random() * 200) }, () => random() * 256)
    bombard(createBorshCodec(), garbage, 5_000)
    bombard(createJsonCodec(), garbage, 5_000)
  })
})

function bombard(codec: WireCodec, nextFrame: () => Frame, frames = FRAMES): void {
  for (let left = frames; left > 0; left--) {
    const frame = nextFrame()
    const failure = failureOf(codec, frame)
    if (failure !== undefined) {
      expect.fail(`FUZZ_SEED=${SEED}, ${left} frames to go: ${failure}\n${textOf(frame)}`)
    }
  }
}

/** What is wrong with how a frame is read; undefined where nothing is. */
function failureOf(codec: WireCodec, frame: Frame): string | undefined {
  try {
    const message = codec.decodeMessage(frame)
    const request = codec.decodeRequest(frame)
    if (message.kind === 'malformed' && message.error.code !== 'malformed') return `untyped ${message.error.message}`
    const limit = WEIGHT_OF_NOTHING + WEIGHT_OF_A_BYTE * frame.length
    const heaviest = Math.max(weightOf(message), weightOf(request))
    return heaviest > limit ? `${frame.length} bytes became ${heaviest}` : undefined
  } catch (error) {
    return `thrown: ${String(error)}`
  }
}

/** Roughly how much memory a value takes, in bytes. */
function weightOf(value: unknown, seen = new Set<object>()): number {
  if (typeof value === 'string') return 16 + value.length
  if (typeof value !== 'object' || value === null) return 8
  if (value instanceof Error || seen.has(value)) return 8
  seen.add(value)
  return Object.values(value).reduce((sum: number, part) => sum + weightOf(part, seen), 32)
}

const pickFrom = <T>(items: readonly T[], random: Random): T => items[Math.floor(random() * items.length)] as T
