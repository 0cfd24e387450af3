# Small on purpose, and not built by the project's tests.
FROM node:24-bookworm-slim
WORKDIR /app
COPY --chown=node:node . .
RUN mkdir /data && chown node:node /data /app
USER node
RUN npm ci && npm run build
ENV HOST=0.0.0.0 DATA_DIR=/data
VOLUME /data
EXPOSE 3000
CMD ["npm", "start"]
