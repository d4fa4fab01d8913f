ARG FROM
FROM $FROM
COPY postgres-entrypoint /usr/local/bin/
ENTRYPOINT ["/usr/local/bin/postgres-entrypoint"]
CMD ["postgres"]
EXPOSE 5432
# "fast": PostgreSQL takes the usual SIGTERM for "wait until every client has left".
STOPSIGNAL SIGINT
