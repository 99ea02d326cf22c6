/**
 * The virtual chain of a stub server, in Borsh: responds to `getSink`, `getBlock` and `getVirtualChainFromBlockV2` with
 * prepared bytes, up to a tip that each notification of a chain block advances. The last four bytes of a hash are the
 * index of its block. The first block is the sink of a new connection.
 */

const OPS = { getBlock: 126, getSink: 120, getVirtualChainFromBlockV2: 151 }
const NOTIFICATION = 61

/** Offsets in a frame: of a request's start hash, and of a response's body behind envelope, tag and length. */
const START_HASH = 16
const BODY = 17

/** Offset of the operation in a notification. */
const NOTIFIED_OP = 3

export function createStubChain(blocks) {
  let tip = 0
  const indexOf = (request) => request.readUInt32BE(START_HASH + 28)
  const responses = {
    [OPS.getBlock]: (request) => Buffer.from(blocks[indexOf(request)].header),
    [OPS.getSink]: () => respond(OPS.getSink, [TAG, blocks[tip].hash]),
    [OPS.getVirtualChainFromBlockV2]: (request) => {
      const added = blocks.slice(indexOf(request) + 1, tip + 1)
      const accepted = [u32(added.length), ...added.map((block) => block.accepted)]
      const hashes = added.map(({ hash }) => hash)
      const list = u32(sizeOf(accepted))
      return respond(OPS.getVirtualChainFromBlockV2, [TAG, u32(0), u32(added.length), ...hashes, list, ...accepted])
    },
  }
  return {
    onNotification(frame) {
      if (frame[NOTIFIED_OP] === NOTIFICATION && tip < blocks.length - 1) tip++
    },
    /** Undefined for another method. The id of the response is to be set. */
    respond: (request) => responses[request[9]]?.(request),
  }
}

const TAG = Buffer.from([1, 0])

function respond(op, body) {
  const head = Buffer.alloc(BODY)
  head.set([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, op, 1])
  head.writeUInt32LE(sizeOf(body), BODY - 4)
  return Buffer.concat([head, ...body])
}

const sizeOf = (parts) => parts.reduce((sum, { length }) => sum + length, 0)

function u32(value) {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
