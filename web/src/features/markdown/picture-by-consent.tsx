import { Icon } from '../../ui/icon.tsx'
import { safeAddress } from './read-markdown.ts'

interface PictureProps {
  readonly address: string
  readonly about: string
}

/** Brought along in the text itself, in a format that cannot hold scripts. */
const OWN = /^data:image\/(?:png|jpe?g|gif|webp|avif);base64,[\w+/=]+$/i

/** A picture elsewhere would tell its server that this was read: it is opened only when somebody wants to see it. */
export function PictureByConsent({ address, about }: PictureProps) {
  if (OWN.test(address)) return <img className="picture" src={address} alt={about} />
  const safe = safeAddress(address)
  if (safe === undefined) return <span className="picture-missing">{about || 'picture'}</span>
  return (
    <a
      className="picture-link"
      href={safe}
      target="_blank"
      rel="noopener noreferrer nofollow"
      title={`Opens ${safe}`}
    >
      <Icon name="image" size={16} />
      <span>{about || 'Picture'}</span>
      <span className="picture-host">{new URL(safe).host || 'elsewhere'}</span>
      <Icon name="external" size={14} />
    </a>
  )
}
