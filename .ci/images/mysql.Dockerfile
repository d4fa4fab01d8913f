ARG FROM
FROM $FROM
COPY mysql-entrypoint /usr/local/bin/
ENTRYPOINT ["/usr/local/bin/mysql-entrypoint"]
CMD ["mysqld"]
EXPOSE 3306
