import { computed, defineComponent, h } from 'vue'
import { toQrCode } from '../../../../streams/requests/qr-code.js'

/** A QR code as one path, on the white of its style. */
export const QrCode = /*#__PURE__*/ defineComponent({
  name: 'QrCode',
  props: {
    text: { type: String, required: true },
    /** The text alternative. */
    label: { type: String, required: true },
  },
  setup(props) {
    const code = computed(() => toQrCode(props.text))
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
        [h('path', { d: code.value.path, fill: '#000', 'shape-rendering': 'crispEdges' })],
      )
  },
})
