import type { FastifyReply } from 'fastify'

/** Whatever a photo turns out to be, the browser shows it as a picture and runs nothing in it. */
export function sendPhoto(reply: FastifyReply, photo: Buffer): FastifyReply {
  return reply
    .type('image/jpeg')
    .header('content-security-policy', "default-src 'none'; frame-ancestors 'none'; sandbox")
    .header('cache-control', 'no-store')
    .send(photo)
}
