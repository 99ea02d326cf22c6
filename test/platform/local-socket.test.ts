import { describe, expect, it } from 'vitest'
import { createLocalSocket } from '../../src/platform/local-socket.js'

/** A socket without a network, with a log of what both ends get. */
function createLogged() {
  const log: string[] = []
  const local = createLocalSocket({
    send: (data) => void log.push(`send ${String(data)}`),
    close: (code, reason) => void log.push(`close ${code} ${reason}`),
  })
  const { socket } = local
  socket.onopen = () => void log.push(`open ${socket.readyState}`)
  socket.onmessage = ({ data }) => void log.push(`message ${typeof data === 'string' ? data : data.byteLength}`)
  socket.onclose = ({ code }) => void log.push(`end ${code} ${socket.readyState}`)
  return { ...local, log }
}

describe('a socket without a network', () => {
  it('opens once, then sends and receives', () => {
    const { socket, open, deliver, log } = createLogged()
    expect([socket.readyState, socket.bufferedAmount]).toEqual([0, 0])
    open()
    open()
    socket.send('a')
    deliver('b')
    expect(log).toEqual(['open 1', 'send a', 'message b'])
  })

  it('drops messages before it is open', () => {
    const { socket, deliver, log } = createLogged()
    socket.send('a')
    deliver('b')
    expect(log).toEqual([])
  })

  it('is closed once by the client, and ends once', () => {
    const { socket, open, deliver, end, log } = createLogged()
    open()
    socket.close()
    socket.close(4000, 'again')
    socket.send('a')
    deliver('b')
    end(1000, '')
    end(1006, '')
    expect(log).toEqual(['open 1', 'close 1000 ', 'end 1000 3'])
  })

  it('is not opened, and not closed again, after its end', () => {
    const { socket, open, end, log } = createLogged()
    end(1006, '')
    open()
    socket.close()
    expect(log).toEqual(['end 1006 3'])
    expect(socket.readyState).toBe(3)
  })
})
