ARG FROM
FROM $FROM
COPY ferretdb-v* /usr/local/bin/ferretdb
COPY ferretdb-entrypoint /usr/local/bin/
ENTRYPOINT ["/usr/local/bin/ferretdb-entrypoint"]
EXPOSE 27017
