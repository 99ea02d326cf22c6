import { encode } from 'uqr'
import { computed, defineComponent, h } from 'vue'

/** Light modules around the code, without which scanners do not find it. */
const QUIET_ZONE = 4

/** A QR code as one path, black on white in any colour scheme: many scanners read nothing else. */
export const QrCode = /*#__PURE__*/ defineComponent({
  name: 'QrCode',
  props: {
    text: { type: String, required: true },
    /** The text alternative. */
    label: { type: String, required: true },
  },
  setup(props) {
    const code = computed(() => encode(props.text, { ecc: 'M', border: QUIET_ZONE }))
    return () =>
      h(
        'svg',
        {
          class: 'vc-qr',
          viewBox: `0 0 ${code.value.size} ${code.value.size}`,
          width: 264,
          height: 264,
          role: 'img',
          'aria-label': props.label,
        },
        [h('path', { d: toPath(code.value.data), fill: '#000', 'shape-rendering': 'crispEdges' })],
      )
  },
})

/** Each run of dark modules in a row is one rectangle. */
const toPath = (rows: readonly (readonly boolean[])[]): string =>
  rows
    .map((row, y) =>
      runsOf(row)
        .map(([x, width]) => `M${x} ${y}h${width}v1h-${width}z`)
        .join(''),
    )
    .join('')

/** Start and length of each run. */
function runsOf(row: readonly boolean[]): readonly (readonly [number, number])[] {
  const starts = row.flatMap((isDark, x) => (isDark && row[x - 1] !== true ? [x] : []))
  return starts.map((start) => {
    const end = row.indexOf(false, start)
    return [start, (end < 0 ? row.length : end) - start]
  })
}
